package dev.evenkeel.policy;

import dev.evenkeel.policy.v1.ActivePolicyUpdate;
import dev.evenkeel.policy.v1.ActiveProfileUpdate;
import dev.evenkeel.policy.v1.HostEndpoint;
import dev.evenkeel.policy.v1.HostMetadataUpdate;
import dev.evenkeel.policy.v1.IpPoolUpdate;
import dev.evenkeel.policy.v1.IpSetDeltaUpdate;
import dev.evenkeel.policy.v1.IpSetType;
import dev.evenkeel.policy.v1.IpSetUpdate;
import dev.evenkeel.policy.v1.NamespaceUpdate;
import dev.evenkeel.policy.v1.Policy;
import dev.evenkeel.policy.v1.PolicyId;
import dev.evenkeel.policy.v1.Profile;
import dev.evenkeel.policy.v1.Rule;
import dev.evenkeel.policy.v1.RuleEnd;
import dev.evenkeel.policy.v1.ServiceAccountUpdate;
import dev.evenkeel.policy.v1.TierInfo;
import dev.evenkeel.policy.v1.Update;
import dev.evenkeel.policy.v1.WorkloadEndpoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The state that a host has received, and a check of the stream: references exist after each message, differences apply to
 * what was sent, nothing is sent twice unchanged, endpoints come with {@code InSync} or after it, and after each batch
 * the host has nothing that it does not need. A violation is an {@link AssertionError}.
 */
public final class HostState {
    private final Map<String, IpSetType> types = new TreeMap<>();
    private final Map<String, Set<String>> members = new TreeMap<>();
    private final Map<String, Policy> policies = new TreeMap<>();
    private final Map<String, Profile> profiles = new TreeMap<>();
    private final Map<String, WorkloadEndpoint> pods = new TreeMap<>();
    private final Map<String, HostEndpoint> interfaces = new TreeMap<>();
    private final Map<String, HostMetadataUpdate> hosts = new TreeMap<>();
    private final Map<String, IpPoolUpdate> pools = new TreeMap<>();
    private final Map<String, NamespaceUpdate> namespaces = new TreeMap<>();
    private final Map<String, ServiceAccountUpdate> accounts = new TreeMap<>();
    private boolean inSync;
    private int messages;

    /** Applies a batch. */
    public HostState apply(List<Update> batch) {
        batch.forEach(this::apply);
        check(
                inSync || (pods.isEmpty() && interfaces.isEmpty()),
                "endpoints before the state is in sync: " + pods.keySet() + interfaces.keySet());
        Set<String> sets = new TreeSet<>(members.keySet());
        rules().forEach(rule -> sets.removeAll(sets(rule).keySet()));
        check(sets.isEmpty(), "IP sets that no rule needs: " + sets);
        if (inSync) {
            Set<String> unused = new TreeSet<>(policies.keySet());
            tiers().forEach(tier -> policies(tier).forEach(unused::remove));
            check(unused.isEmpty(), "policies that no endpoint needs: " + unused);
            Set<String> names = new TreeSet<>(profiles.keySet());
            profileNames().forEach(names::remove);
            check(names.isEmpty(), "profiles that no endpoint needs: " + names);
            namespaces
                    .keySet()
                    .forEach(name ->
                            check(profiles.containsKey("kns." + name), "a namespace that no endpoint needs: " + name));
            accounts.values()
                    .forEach(account -> check(
                            profiles.containsKey("ksa." + account.getNamespace() + "." + account.getName()),
                            "a service account that no endpoint needs: " + account));
        }
        return this;
    }

    private void apply(Update update) {
        messages++;
        switch (update.getKindCase()) {
            case IN_SYNC -> {
                check(!inSync, "InSync is sent twice");
                inSync = true;
            }
            case IP_SET_UPDATE -> apply(update.getIpSetUpdate());
            case IP_SET_DELTA_UPDATE -> apply(update.getIpSetDeltaUpdate());
            case IP_SET_REMOVE -> {
                String id = update.getIpSetRemove().getId();
                check(types.remove(id) != null, "removes unknown IP set " + id);
                members.remove(id);
                check(
                        rules().noneMatch(rule -> sets(rule).containsKey(id)),
                        "removes IP set " + id + ", which rules mention");
            }
            case ACTIVE_POLICY_UPDATE -> apply(update.getActivePolicyUpdate());
            case ACTIVE_POLICY_REMOVE -> {
                String id = name(update.getActivePolicyRemove().getId());
                check(policies.remove(id) != null, "removes unknown policy " + id);
                check(
                        tiers().noneMatch(tier -> policies(tier).contains(id)),
                        "removes policy " + id + ", which endpoints have");
            }
            case ACTIVE_PROFILE_UPDATE -> apply(update.getActiveProfileUpdate());
            case ACTIVE_PROFILE_REMOVE -> {
                String name = update.getActiveProfileRemove().getName();
                check(profiles.remove(name) != null, "removes unknown profile " + name);
                check(profileNames().noneMatch(name::equals), "removes profile " + name + ", which endpoints have");
            }
            case WORKLOAD_ENDPOINT_UPDATE -> {
                String id = update.getWorkloadEndpointUpdate().getId();
                WorkloadEndpoint endpoint = update.getWorkloadEndpointUpdate().getEndpoint();
                checkChange(id, pods.put(id, endpoint), endpoint);
                checkReferences(id, endpoint.getTiersList(), endpoint.getProfileNamesList());
            }
            case WORKLOAD_ENDPOINT_REMOVE -> {
                String id = update.getWorkloadEndpointRemove().getId();
                check(pods.remove(id) != null, "removes unknown endpoint " + id);
            }
            case HOST_ENDPOINT_UPDATE -> {
                String id = update.getHostEndpointUpdate().getId();
                HostEndpoint endpoint = update.getHostEndpointUpdate().getEndpoint();
                checkChange(id, interfaces.put(id, endpoint), endpoint);
                checkReferences(id, endpoint.getTiersList(), endpoint.getProfileNamesList());
            }
            case HOST_ENDPOINT_REMOVE -> {
                String id = update.getHostEndpointRemove().getId();
                check(interfaces.remove(id) != null, "removes unknown host endpoint " + id);
            }
            case HOST_METADATA_UPDATE -> {
                HostMetadataUpdate host = update.getHostMetadataUpdate();
                checkChange(host.getHost(), hosts.put(host.getHost(), host), host);
            }
            case HOST_METADATA_REMOVE -> {
                String host = update.getHostMetadataRemove().getHost();
                check(hosts.remove(host) != null, "removes unknown host " + host);
            }
            case IP_POOL_UPDATE -> {
                IpPoolUpdate pool = update.getIpPoolUpdate();
                checkChange(pool.getCidr(), pools.put(pool.getCidr(), pool), pool);
            }
            case IP_POOL_REMOVE -> {
                String block = update.getIpPoolRemove().getCidr();
                check(pools.remove(block) != null, "removes unknown IP pool " + block);
            }
            case NAMESPACE_UPDATE -> {
                NamespaceUpdate namespace = update.getNamespaceUpdate();
                checkChange(namespace.getName(), namespaces.put(namespace.getName(), namespace), namespace);
            }
            case NAMESPACE_REMOVE -> {
                String name = update.getNamespaceRemove().getName();
                check(namespaces.remove(name) != null, "removes unknown namespace " + name);
            }
            case SERVICE_ACCOUNT_UPDATE -> {
                ServiceAccountUpdate account = update.getServiceAccountUpdate();
                String name = account.getNamespace() + "/" + account.getName();
                checkChange(name, accounts.put(name, account), account);
            }
            case SERVICE_ACCOUNT_REMOVE -> {
                String name = update.getServiceAccountRemove().getNamespace() + "/"
                        + update.getServiceAccountRemove().getName();
                check(accounts.remove(name) != null, "removes unknown service account " + name);
            }
            default -> throw new AssertionError("a message that is not expected: " + update);
        }
    }

    private void apply(IpSetUpdate set) {
        Set<String> sent = new TreeSet<>(set.getMembersList());
        check(
                new ArrayList<>(sent).equals(set.getMembersList()),
                "members of " + set.getId() + " are not sorted and distinct: " + set.getMembersList());
        check(set.getType() != IpSetType.IP_SET_TYPE_UNSPECIFIED, "IP set " + set.getId() + " has no type");
        boolean sameType = set.getType() == types.put(set.getId(), set.getType());
        boolean sameMembers = sent.equals(members.put(set.getId(), sent));
        check(!sameType || !sameMembers, "sends " + set.getId() + " again, unchanged");
    }

    private void apply(IpSetDeltaUpdate delta) {
        Set<String> known = members.get(delta.getId());
        check(known != null, "changes unknown IP set " + delta.getId());
        check(delta.getAddedMembersCount() + delta.getRemovedMembersCount() > 0, "an empty change of " + delta.getId());
        for (String member : delta.getAddedMembersList()) {
            check(known.add(member), "adds " + member + " to " + delta.getId() + ", which has it");
        }
        for (String member : delta.getRemovedMembersList()) {
            check(known.remove(member), "removes " + member + " from " + delta.getId() + ", which lacks it");
        }
        Set<String> both = new HashSet<>(delta.getAddedMembersList());
        both.retainAll(delta.getRemovedMembersList());
        check(both.isEmpty(), "adds and removes " + both + " of " + delta.getId());
    }

    private void apply(ActivePolicyUpdate update) {
        String id = name(update.getId());
        checkChange(id, policies.put(id, update.getPolicy()), update.getPolicy());
        checkRules(id, update.getPolicy().getInboundRulesList());
        checkRules(id, update.getPolicy().getOutboundRulesList());
    }

    private void apply(ActiveProfileUpdate update) {
        checkChange(update.getName(), profiles.put(update.getName(), update.getProfile()), update.getProfile());
        checkRules(update.getName(), update.getProfile().getInboundRulesList());
        checkRules(update.getName(), update.getProfile().getOutboundRulesList());
    }

    private void checkRules(String of, List<Rule> rules) {
        Set<String> ids = new HashSet<>();
        for (Rule rule : rules) {
            check(ids.add(rule.getRuleId()), "two rules of " + of + " have the id " + rule.getRuleId());
            sets(rule)
                    .forEach((set, type) -> check(
                            types.get(set) == type, of + " mentions IP set " + set + ", of type " + types.get(set)));
        }
    }

    private void checkReferences(String endpoint, List<TierInfo> tiers, List<String> names) {
        for (TierInfo tier : tiers) {
            check(!policies(tier).isEmpty(), endpoint + " has tier " + tier.getName() + " without policies");
            for (String policy : policies(tier)) {
                check(policies.containsKey(policy), endpoint + " has unknown policy " + policy);
                check(
                        policies.get(policy).getTier().equals(tier.getName()),
                        endpoint + " has policy " + policy + " in tier " + tier.getName());
            }
        }
        names.forEach(name -> check(profiles.containsKey(name), endpoint + " has unknown profile " + name));
    }

    private static void checkChange(String name, Object before, Object after) {
        check(!after.equals(before), "sends " + name + " again, unchanged");
    }

    private static void check(boolean condition, String violation) {
        if (!condition) {
            throw new AssertionError(violation);
        }
    }

    private Stream<Rule> rules() {
        return Stream.concat(
                policies.values().stream()
                        .flatMap(policy -> Stream.concat(
                                policy.getInboundRulesList().stream(), policy.getOutboundRulesList().stream())),
                profiles.values().stream()
                        .flatMap(profile -> Stream.concat(
                                profile.getInboundRulesList().stream(), profile.getOutboundRulesList().stream())));
    }

    private Stream<TierInfo> tiers() {
        return Stream.concat(
                pods.values().stream().flatMap(endpoint -> endpoint.getTiersList().stream()),
                interfaces.values().stream().flatMap(endpoint -> endpoint.getTiersList().stream()));
    }

    private Stream<String> profileNames() {
        return Stream.concat(
                pods.values().stream().flatMap(endpoint -> endpoint.getProfileNamesList().stream()),
                interfaces.values().stream().flatMap(endpoint -> endpoint.getProfileNamesList().stream()));
    }

    private static List<String> policies(TierInfo tier) {
        return Stream.concat(tier.getIngressPoliciesList().stream(), tier.getEgressPoliciesList().stream())
                .map(HostState::name)
                .toList();
    }

    private static Map<String, IpSetType> sets(Rule rule) {
        Map<String, IpSetType> sets = new TreeMap<>();
        for (RuleEnd end : List.of(rule.getSource(), rule.getDestination())) {
            Stream.of(end.getIpSetIdsList(), end.getNotIpSetIdsList())
                    .flatMap(List::stream)
                    .forEach(set -> sets.put(set, IpSetType.IP_SET_TYPE_NET));
            Stream.of(end.getNamedPortIpSetIdsList(), end.getNotNamedPortIpSetIdsList(), end.getIpPortSetIdsList())
                    .flatMap(List::stream)
                    .forEach(set -> sets.put(set, IpSetType.IP_SET_TYPE_IP_AND_PORT));
        }
        return sets;
    }

    /** Returns the name of a policy as a key of {@link #policies}. */
    public static String name(PolicyId id) {
        return id.getKind() + " " + id.getNamespace() + "/" + id.getName();
    }

    /** Returns the members of IP sets. */
    public Map<String, Set<String>> members() {
        return members;
    }

    /** Returns the policies. */
    public Map<String, Policy> policies() {
        return policies;
    }

    /** Returns the profiles. */
    public Map<String, Profile> profiles() {
        return profiles;
    }

    /** Returns the pods. */
    public Map<String, WorkloadEndpoint> pods() {
        return pods;
    }

    /** Returns the host endpoints. */
    public Map<String, HostEndpoint> interfaces() {
        return interfaces;
    }

    /** Returns the hosts. */
    public Map<String, HostMetadataUpdate> hosts() {
        return hosts;
    }

    /** Returns the IP pools. */
    public Map<String, IpPoolUpdate> pools() {
        return pools;
    }

    /** Returns the namespaces. */
    public Map<String, NamespaceUpdate> namespaces() {
        return namespaces;
    }

    /** Returns the service accounts. */
    public Map<String, ServiceAccountUpdate> accounts() {
        return accounts;
    }

    /** Returns whether InSync was received. */
    public boolean isInSync() {
        return inSync;
    }

    /** Returns the number of messages so far. */
    public int messages() {
        return messages;
    }

    /** Returns the state as text, for comparison. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("in sync: " + inSync + "\n");
        members.forEach((id, all) -> text.append(id)
                .append(' ')
                .append(types.get(id))
                .append(' ')
                .append(all)
                .append('\n'));
        Stream.of(policies, profiles, pods, interfaces, hosts, pools, namespaces, accounts)
                .forEach(all -> all.forEach((name, message) -> text.append(name)
                        .append(":\n")
                        .append(message.toString().indent(2))));
        return text.toString();
    }
}
