package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.v1.Action;
import dev.evenkeel.policy.v1.HostEndpoint;
import dev.evenkeel.policy.v1.IpSetDeltaUpdate;
import dev.evenkeel.policy.v1.IpSetUpdate;
import dev.evenkeel.policy.v1.PolicyId;
import dev.evenkeel.policy.v1.Rule;
import dev.evenkeel.policy.v1.TierInfo;
import dev.evenkeel.policy.v1.Update;
import dev.evenkeel.policy.v1.WorkloadEndpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state that the messages to a host bring, as a table of nftables; without any I/O.
 *
 * <p>A packet that is not of an established connection is dispatched by its addresses: the source address of a local pod
 * leads to its egress, the destination address of one to its ingress. These are base chains of their own, so "accept" in the
 * first does not skip the second. Connections from the host to its pods pass no chain, which allows them.
 *
 * <pre>
 * forward/from, input/from   ip saddr in map from/ipv4 -> from/NAMESPACE/POD: a chain for each tier that decides
 * forward/to                 ip daddr in map to/ipv4   -> to/NAMESPACE/POD      jumps to in/KIND/NAMESPACE/POLICY, in order
 *                                                                               drops, or continues with the next tier
 *                                                                               jumps to in/profile/NAME, drops
 * </pre>
 *
 * <ol>
 *   <li>The table depends on the state only, not on the order of messages.
 *   <li>A member of a set changes elements of sets only, unless it is the first or the last block; a policy changes its own
 *       chains, unless an endpoint begins or ends to use it; an endpoint changes its own chains.
 *   <li>A rule that allows accepts; one that denies drops; one that passes sets a bit of the packet's mark and returns. The
 *       bit is cleared when the next tier begins. Without rules that pass, marks are not touched.
 *   <li>An address that several endpoints have, as when a pod is replaced, is subject to all of them: the further ones are
 *       dispatched in further base chains.
 * </ol>
 *
 * <p>Not thread-safe.
 */
final class Ruleset {
    /** Lets existing connections continue when policies change. */
    static final String ESTABLISHED = "ct state established,related accept";

    /** Router and neighbor solicitations and advertisements, and redirects. */
    static final String NEIGHBORS = "icmpv6 type { 133, 134, 135, 136, 137 } accept";

    /** The longest prefix of a line of the kernel's log, without the colon. */
    private static final int LOG_PREFIX = 120;

    private final Table table;
    private final EndpointRules chains;
    private final Dispatch dispatch;
    private final HostEndpointChains hostChains;
    private final Map<String, AddressSets> sets = new HashMap<>();
    private final Map<String, RuleOwner> owners = new HashMap<>();
    private final Map<String, WorkloadEndpoint> workloads = new HashMap<>();
    private final Map<String, HostEndpoint> hosts = new TreeMap<>();

    /** The owners of rules that mention a set. */
    private final Map<String, Set<String>> usersOfSets = new HashMap<>();

    /** The endpoints that list an owner. */
    private final Map<String, Set<String>> usersOfOwners = new HashMap<>();

    private final Map<String, List<String>> chainsOfWorkloads = new HashMap<>();
    private final Set<String> dirtyOwners = new TreeSet<>();
    private final Set<String> dirtyWorkloads = new TreeSet<>();
    private boolean dirtyHosts;
    private boolean inSync;

    /**
     * Creates the rules of a host without endpoints, which let everything pass.
     *
     * @param table the name of the table
     * @param mark the bit of packet marks that rules may use
     */
    Ruleset(String table, long mark) {
        this.table = new Table(table);
        chains = new EndpointRules(mark, this::shape);
        dispatch = new Dispatch(this.table);
        hostChains = new HostEndpointChains(this.table, chains);
    }

    /** Returns whether the state is complete. */
    boolean inSync() {
        return inSync;
    }

    /** Returns the table. */
    Table table() {
        return table;
    }

    /** Returns the commands from the state that was returned before to the current one. */
    String changes() {
        return table.changes();
    }

    /**
     * Applies the messages of a batch.
     *
     * @throws IllegalArgumentException if a message is invalid, or refers to something that was not sent
     */
    void apply(List<Update> batch) {
        batch.forEach(this::apply);
        refresh();
    }

    private void apply(Update update) {
        switch (update.getKindCase()) {
            case IN_SYNC -> inSync = true;
            case IP_SET_UPDATE -> apply(update.getIpSetUpdate());
            case IP_SET_DELTA_UPDATE -> apply(update.getIpSetDeltaUpdate());
            case IP_SET_REMOVE -> {
                AddressSets set = sets.remove(update.getIpSetRemove().getId());
                if (set != null) {
                    set.delete();
                }
            }
            case ACTIVE_POLICY_UPDATE -> {
                PolicyId id = update.getActivePolicyUpdate().getId();
                var policy = update.getActivePolicyUpdate().getPolicy();
                put(
                        RuleOwner.key(id),
                        new RuleOwner(
                                RuleOwner.title(id),
                                policy.getInboundRulesList(),
                                policy.getOutboundRulesList(),
                                policy.getUntracked(),
                                false));
            }
            case ACTIVE_POLICY_REMOVE ->
                remove(RuleOwner.key(update.getActivePolicyRemove().getId()));
            case ACTIVE_PROFILE_UPDATE -> {
                String name = update.getActiveProfileUpdate().getName();
                var profile = update.getActiveProfileUpdate().getProfile();
                put(
                        RuleOwner.profile(name),
                        new RuleOwner(
                                "profile " + name,
                                profile.getInboundRulesList(),
                                profile.getOutboundRulesList(),
                                false,
                                true));
            }
            case ACTIVE_PROFILE_REMOVE ->
                remove(RuleOwner.profile(update.getActiveProfileRemove().getName()));
            case WORKLOAD_ENDPOINT_UPDATE -> {
                var sent = update.getWorkloadEndpointUpdate();
                putWorkload(sent.getId(), sent.getEndpoint());
            }
            case WORKLOAD_ENDPOINT_REMOVE ->
                removeWorkload(update.getWorkloadEndpointRemove().getId());
            case HOST_ENDPOINT_UPDATE -> {
                var sent = update.getHostEndpointUpdate();
                HostEndpoint before = hosts.put(sent.getId(), sent.getEndpoint());
                use(host(sent.getId()), before == null ? Set.of() : owners(before), owners(sent.getEndpoint()));
                dirtyHosts = true;
            }
            case HOST_ENDPOINT_REMOVE -> {
                String id = update.getHostEndpointRemove().getId();
                HostEndpoint before = hosts.remove(id);
                use(host(id), before == null ? Set.of() : owners(before), Set.of());
                dirtyHosts = true;
            }
            default -> {
                // the other messages do not change rules
            }
        }
    }

    // ---- sets

    private void apply(IpSetUpdate update) {
        AddressSets set = sets.get(update.getId());
        List<Family> before = set == null ? List.of() : set.familiesOfBlocks();
        if (set == null) {
            set = new AddressSets(table, update.getId(), update.getType());
            sets.put(update.getId(), set);
        } else {
            set.clear();
        }
        update.getMembersList().forEach(set::add);
        noteBlocks(update.getId(), before, set.familiesOfBlocks());
    }

    private void apply(IpSetDeltaUpdate update) {
        AddressSets set = sets.get(update.getId());
        if (set == null) {
            throw new IllegalArgumentException("IP set " + update.getId() + ": has not been sent");
        }
        List<Family> before = set.familiesOfBlocks();
        update.getRemovedMembersList().forEach(set::remove);
        update.getAddedMembersList().forEach(set::add);
        noteBlocks(update.getId(), before, set.familiesOfBlocks());
    }

    private void noteBlocks(String set, List<Family> before, List<Family> after) {
        if (!before.equals(after)) {
            dirtyOwners.addAll(usersOfSets.getOrDefault(set, Set.of()));
        }
    }

    private boolean hasBlocks(String set, Family family) {
        AddressSets known = sets.get(set);
        if (known == null) {
            throw new IllegalArgumentException("IP set " + set + ": has not been sent, but a rule mentions it");
        }
        return known.familiesOfBlocks().contains(family);
    }

    // ---- policies and profiles

    private void put(String key, RuleOwner owner) {
        RuleOwner before = owners.put(key, owner);
        Set<String> old = before == null ? Set.of() : before.sets();
        Set<String> now = owner.sets();
        move(usersOfSets, key, old, now);
        dirtyOwners.add(key);
        if (before == null || !before.shape().equals(owner.shape())) {
            dirtyUsers(key);
        }
    }

    private void remove(String key) {
        RuleOwner before = owners.remove(key);
        if (before != null) {
            move(usersOfSets, key, before.sets(), Set.of());
            dirtyOwners.add(key);
        }
    }

    private void dirtyUsers(String key) {
        for (String user : usersOfOwners.getOrDefault(key, Set.of())) {
            if (workloads.containsKey(user)) {
                dirtyWorkloads.add(user);
            } else {
                dirtyHosts = true;
            }
        }
    }

    static <K> void move(Map<K, Set<String>> index, String user, Set<K> old, Set<K> now) {
        for (K key : old) {
            Set<String> users = index.get(key);
            if (!now.contains(key) && users != null && users.remove(user) && users.isEmpty()) {
                index.remove(key);
            }
        }
        now.forEach(key -> index.computeIfAbsent(key, unused -> new TreeSet<>()).add(user));
    }

    // ---- endpoints

    private static String host(String id) {
        // a workload has a slash, too, but not at the beginning
        return "/" + id;
    }

    private void putWorkload(String id, WorkloadEndpoint endpoint) {
        WorkloadEndpoint before = workloads.put(id, endpoint);
        use(id, before == null ? Set.of() : owners(before), owners(endpoint));
        dispatch.move(id, before == null ? Set.of() : addresses(before), addresses(endpoint));
        dirtyWorkloads.add(id);
    }

    private void removeWorkload(String id) {
        WorkloadEndpoint before = workloads.remove(id);
        if (before != null) {
            use(id, owners(before), Set.of());
            dispatch.move(id, addresses(before), Set.of());
            dirtyWorkloads.add(id);
        }
    }

    private void use(String endpoint, Set<String> old, Set<String> now) {
        move(usersOfOwners, endpoint, old, now);
    }

    private static Set<Cidr> addresses(WorkloadEndpoint endpoint) {
        Set<Cidr> addresses = new TreeSet<>();
        Stream.concat(endpoint.getIpv4NetsList().stream(), endpoint.getIpv6NetsList().stream())
                .map(Cidr::parse)
                .forEach(addresses::add);
        return addresses;
    }

    private static Set<String> owners(WorkloadEndpoint endpoint) {
        return owners(endpoint.getTiersList().stream(), endpoint.getProfileNamesList());
    }

    private static Set<String> owners(HostEndpoint endpoint) {
        return owners(
                Stream.of(
                                endpoint.getTiersList(),
                                endpoint.getUntrackedTiersList(),
                                endpoint.getPreDnatTiersList(),
                                endpoint.getForwardTiersList())
                        .flatMap(List::stream),
                endpoint.getProfileNamesList());
    }

    private static Set<String> owners(Stream<TierInfo> tiers, List<String> profiles) {
        Set<String> keys = new HashSet<>();
        tiers.flatMap(tier ->
                        Stream.concat(tier.getIngressPoliciesList().stream(), tier.getEgressPoliciesList().stream()))
                .map(RuleOwner::key)
                .forEach(keys::add);
        profiles.stream().map(RuleOwner::profile).forEach(keys::add);
        return keys;
    }

    // ---- what has changed, as chains and elements

    private void refresh() {
        dirtyOwners.forEach(this::refreshOwner);
        dirtyOwners.clear();
        dirtyWorkloads.forEach(this::refreshWorkload);
        dirtyWorkloads.clear();
        dispatch.refresh();
        if (dirtyHosts) {
            hostChains.replace(hosts);
            dirtyHosts = false;
        }
    }

    private void refreshOwner(String key) {
        RuleOwner owner = owners.get(key);
        refreshRules(Names.of("in", key), owner, owner == null ? List.of() : owner.in());
        refreshRules(Names.of("out", key), owner, owner == null ? List.of() : owner.out());
    }

    private void refreshRules(String chain, @Nullable RuleOwner owner, List<Rule> rules) {
        if (owner == null || rules.isEmpty()) {
            table.removeChain(chain);
            return;
        }
        String allow = owner.untracked() ? "notrack accept" : "accept";
        String pass = owner.profile() ? "drop" : chains.pass();
        String log =
                "limit rate 10/second burst 20 packets log prefix " + Names.quoted(owner.title(), LOG_PREFIX, ": ");
        List<String> lines = new ArrayList<>();
        for (Rule rule : rules) {
            if (!owner.profile() || rule.getAction() != Action.ACTION_LOG) {
                lines.addAll(
                        RuleLines.of(rule, RuleLines.verdict(rule.getAction(), allow, pass, log), this::hasBlocks));
            }
        }
        table.putChain(chain, "", lines);
    }

    private void refreshWorkload(String id) {
        List<String> old = chainsOfWorkloads.getOrDefault(id, List.of());
        List<String> now = new ArrayList<>();
        WorkloadEndpoint endpoint = workloads.get(id);
        if (endpoint != null) {
            for (boolean ingress : List.of(false, true)) {
                List<String> own = addresses(endpoint).stream()
                        .map(address -> Family.of(address).keyword + (ingress ? " saddr " : " daddr ")
                                + Family.text(address) + " accept")
                        .toList();
                String chain = Names.of(ingress ? "to" : "from", id);
                Map<String, List<String>> made = new TreeMap<>();
                chains.add(chain, own, endpoint.getTiersList(), ingress, endpoint.getProfileNamesList(), true, made);
                made.forEach((name, rules) -> table.putChain(name, "", rules));
                now.addAll(made.keySet());
            }
        }
        chainsOfWorkloads.put(id, now);
        if (now.isEmpty()) {
            chainsOfWorkloads.remove(id);
        }
        old.stream().filter(chain -> !now.contains(chain)).forEach(table::removeChain);
    }

    private RuleOwner.Shape shape(String owner) {
        RuleOwner known = owners.get(owner);
        if (known == null) {
            throw new IllegalArgumentException(owner + ": has not been sent, but an endpoint lists it");
        }
        return known.shape();
    }
}
