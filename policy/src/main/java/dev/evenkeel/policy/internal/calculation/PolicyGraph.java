package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.Aggregate;
import dev.evenkeel.graph.Barrier;
import dev.evenkeel.graph.Graph;
import dev.evenkeel.graph.Input;
import dev.evenkeel.graph.Pair;
import dev.evenkeel.graph.PartitionedSink;
import dev.evenkeel.graph.Relation;
import dev.evenkeel.graph.Table;
import dev.evenkeel.policy.ClusterNetworkPolicy;
import dev.evenkeel.policy.ClusterNetworkSet;
import dev.evenkeel.policy.ClusterTieredPolicy;
import dev.evenkeel.policy.HostEndpoint;
import dev.evenkeel.policy.NetworkSet;
import dev.evenkeel.policy.Tier;
import dev.evenkeel.policy.TieredPolicy;
import dev.evenkeel.policy.internal.calculation.RuleCompiler.Compiled;
import dev.evenkeel.policy.internal.convert.ClusterNetworkPolicyConversion;
import dev.evenkeel.policy.internal.convert.EndpointConversion;
import dev.evenkeel.policy.internal.convert.NetworkPolicyConversion;
import dev.evenkeel.policy.internal.convert.NetworksConversion;
import dev.evenkeel.policy.internal.convert.ProfileConversion;
import dev.evenkeel.policy.internal.convert.SliceConversion;
import dev.evenkeel.policy.internal.convert.TierConversion;
import dev.evenkeel.policy.internal.convert.TieredPolicyConversion;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.internal.model.Holder;
import dev.evenkeel.policy.internal.model.Networks;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.Profile;
import dev.evenkeel.policy.internal.model.SetMember;
import dev.evenkeel.policy.internal.model.Slice;
import dev.evenkeel.policy.internal.model.TierOrder;
import dev.evenkeel.policy.v1.TierInfo;
import dev.evenkeel.policy.v1.Update;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The tables of the calculation:
 *
 * <pre>
 *   policies ──selectors──┐
 *                         ├─match─ applies ──────┬─ tiers of each endpoint ─────────── endpoint ─┐
 *   endpoints of hosts ───┘                      │                                               │
 *                                                └─ policies of each host ─ rules ─── policy ────┤
 *   profiles ── rules of those that endpoints of hosts have ─────────────────────── profile ─────┼─ sink
 *                                                        │                                       │
 *                                                        └─ IP sets of each host ──┐             │
 *   endpoints, network sets, nodes ───────────────────────────────match─ members ── IP set ──────┘
 *   EndpointSlices ───────────────────────────────────────────────join──────┘
 * </pre>
 *
 * <p>The calculation for one host has the endpoints of that host where the one for all hosts has those of all; all else is
 * the same. Tables are split where a change should stop: labels are separate from addresses, rules from the order of
 * policies.
 */
public final class PolicyGraph {
    private final Graph graph = Graph.create();
    private final Map<Class<? extends HasMetadata>, Source<?, ?, ?>> sources = new LinkedHashMap<>();
    private final PartitionedSink<String, Update> sink;
    private final Table<String, Hosted> hosted;
    private final Table<String, String> missingTiers;
    private final Barrier synced;

    /** Creates the tables, for one host or for all. */
    public PolicyGraph(Optional<String> host) {
        Table<String, Profile> namespaces = source(
                Namespace.class,
                key -> ProfileConversion.namespace(key.name()),
                (object, problems) -> Optional.of(ProfileConversion.convert(object)));
        Table<String, Profile> accounts = source(
                ServiceAccount.class,
                key -> ProfileConversion.serviceAccount(key.namespace(), key.name()),
                (object, problems) -> Optional.of(ProfileConversion.convert(object)));
        Table<String, Profile> profiles = namespaces.union(accounts).rename("profiles");
        Table<String, Endpoint> endpoints = source(
                        Pod.class, key -> key.namespace() + "/" + key.name(), EndpointConversion::convert)
                .union(source(
                        HostEndpoint.class,
                        ObjectKey::name,
                        (object, problems) -> Optional.of(EndpointConversion.convert(object, problems))))
                .rename("endpoints");
        Table<String, Host> nodes = source(
                Node.class,
                key -> "Node " + key.name(),
                (object, problems) -> Optional.of(new Host(
                        NetworksConversion.convert(object, problems), NetworksConversion.podBlocks(object, problems))));
        Table<String, Networks> networks = nodes.view((name, node) -> node.networks())
                .union(source(
                        NetworkSet.class,
                        key -> "NetworkSet " + key.namespace() + "/" + key.name(),
                        (object, problems) -> Optional.of(NetworksConversion.convert(object, problems))))
                .union(source(
                        ClusterNetworkSet.class,
                        key -> "ClusterNetworkSet " + key.name(),
                        (object, problems) -> Optional.of(NetworksConversion.convert(object, problems))))
                .rename("networks");
        Table<String, TierOrder> tiers = source(Tier.class, ObjectKey::name, TierConversion::convert);
        Table<Policy.Key, Policy> policies = policies(NetworkPolicy.class, NetworkPolicyConversion::convert)
                .union(policies(ClusterNetworkPolicy.class, ClusterNetworkPolicyConversion::convert))
                .union(policies(TieredPolicy.class, TieredPolicyConversion::convert))
                .union(policies(ClusterTieredPolicy.class, TieredPolicyConversion::convert))
                .rename("policies");
        Table<String, Slice> slices =
                source(EndpointSlice.class, key -> key.namespace() + "/" + key.name(), SliceConversion::convert);
        synced = graph.inSync(sources.values().stream().map(Source::input).toArray(Input[]::new));

        Table<String, Map<String, String>> inherited =
                profiles.view((name, profile) -> profile.labels()).rename("inherited labels");
        Table<String, Endpoint> local = host.map(wanted ->
                        endpoints.filter((name, endpoint) -> endpoint.node().equals(wanted)))
                .orElse(endpoints);
        Relation<Policy.Key, String> applies = graph.match(
                        policies.view((key, policy) -> policy.selector()).rename("policy selectors"),
                        local.inherit(
                                (name, endpoint) -> endpoint.labels(),
                                (name, endpoint) -> endpoint.profiles(),
                                inherited))
                .rename("applies");

        Table<Policy.Key, Place> places = policies.view((key, policy) -> Place.of(policy))
                .leftJoin(tiers, (key, place) -> place.tier().name(), Place::in, place -> place)
                .rename("places");
        missingTiers = places.filter((key, place) -> !place.exists())
                .map((key, place) -> place.tier().name())
                .distinct()
                .rename("missing tiers");
        Table<String, List<TierInfo>> tiersOf = applies.groupByRight(
                        places,
                        Aggregate.<Pair<Policy.Key, String>, Place>orderedBy(
                                Place.ORDER, Comparator.comparing(Pair::left, Place.BY_KEY)))
                .<List<TierInfo>>map((name, ordered) -> Messages.tiers(ordered))
                .rename("tiers of endpoints");
        hosted = local.map((name, endpoint) -> Hosted.of(endpoint))
                .leftJoin(tiersOf, Hosted::with, endpoint -> endpoint)
                .rename("hosted endpoints");
        Table<String, String> nodeOf =
                local.view((name, endpoint) -> endpoint.node()).rename("node of endpoints");
        Relation<String, String> endpointsOf =
                nodeOf.pairs((name, node) -> List.of(new Pair<>(node, name))).rename("endpoints of hosts");

        Relation<String, Policy.Key> policiesOf = applies.<String, String, String>join(
                        nodeOf, (pair, weight) -> pair.right(), (weight, node) -> node)
                .pairs((pair, node) -> List.of(new Pair<>(node, pair.left())))
                .rename("policies of hosts");
        Table<Policy.Key, Compiled> policyRules = policies.semijoin(policiesOf.rights())
                .map((key, policy) -> RuleCompiler.compile(policy))
                .rename("policy rules");

        Relation<String, String> profilesOf = local.pairs((name, endpoint) -> endpoint.profiles().stream()
                        .map(profile -> new Pair<>(endpoint.node(), profile))
                        .toList())
                .rename("profiles of hosts");
        Table<String, Compiled> profileRules = profilesOf
                .rights()
                .leftJoin(profiles, (name, profile) -> profile, Profile::missing)
                .map((name, profile) -> RuleCompiler.compile(profile))
                .rename("profile rules");

        Relation<String, IpSet> setsOf = policiesOf
                .expand(policyRules, Compiled::sets)
                .union(profilesOf.expand(profileRules, Compiled::sets))
                .rename("IP sets of hosts");
        Table<IpSet, IpSet> sets = setsOf.rights().rename("IP sets");
        Table<String, Holder> holders = endpoints
                .<Holder>view((name, endpoint) -> endpoint)
                .union(networks.view((name, blocks) -> blocks))
                .rename("holders of addresses");
        Relation<IpSet, SetMember> members = graph.match(
                        sets.view((set, same) -> set.selector()).rename("IP set selectors"),
                        holders.inherit(
                                (name, holder) -> holder.labels(), (name, holder) -> holder.profiles(), inherited))
                .rename("matches")
                .<String, Addresses, Addresses>join(
                        holders.view((name, holder) -> Addresses.of(holder)).rename("addresses"),
                        (pair, weight) -> pair.right(),
                        (weight, addresses) -> addresses)
                .<IpSet, SetMember>pairs((pair, addresses) -> pair.left().members(addresses).stream()
                        .map(member -> new Pair<>(pair.left(), member))
                        .toList())
                .union(slices.<IpSet>flatMap((name, slice) -> IpSet.all(slice.service()))
                        .rename("IP sets of slices")
                        .<IpSet>semijoin(sets, (pair, weight) -> pair.right())
                        .<String, Slice, Slice>join(slices, (pair, weight) -> pair.left(), (weight, slice) -> slice)
                        .<IpSet, SetMember>pairs((pair, slice) -> pair.right().members(slice).stream()
                                .map(member -> new Pair<>(pair.right(), member))
                                .toList()))
                .rename("members");

        Table<String, Host> hosts = nodes.filter((name, node) -> host.stream().allMatch(node.name()::equals));
        Relation<String, String> hostOf = hosts.pairs((name, node) -> List.of(new Pair<>(node.name(), name)))
                .rename("metadata of hosts");
        Relation<String, Pool> poolsOf = hosts.pairs((name, node) -> node.pools().stream()
                        .map(block -> new Pair<>(node.name(), new Pool(block, node.name())))
                        .toList())
                .rename("IP pools of hosts");
        sink = graph.<String, Update>partitionedSink("hosts")
                .emit(
                        "host",
                        hostOf,
                        hosts.view((name, node) -> node.networks()),
                        (name, node) -> Messages.host(node),
                        name -> Messages.hostRemoval(name.substring("Node ".length())))
                .emit("IP pool", poolsOf, poolsOf.rights(), (pool, same) -> Messages.pool(pool), Messages::poolRemoval)
                .emit(
                        "namespace",
                        profilesOf,
                        namespaces.view((name, profile) -> ProfileConversion.labels(profile)),
                        Messages::namespace,
                        Messages::namespaceRemoval)
                .emit(
                        "service account",
                        profilesOf,
                        accounts.view((name, profile) -> ProfileConversion.labels(profile)),
                        Messages::account,
                        Messages::accountRemoval)
                .emit("IP set", setsOf, sets, members, new Messages.OfIpSets())
                .emit("policy", policiesOf, policyRules, (key, rules) -> rules.update(), Messages::policyRemoval)
                .after("IP set")
                .emit("profile", profilesOf, profileRules, (name, rules) -> rules.update(), Messages::profileRemoval)
                .after("IP set")
                .emit("endpoint", endpointsOf, hosted, Messages::endpoint, Messages::endpointRemoval)
                .after("policy", "profile")
                .heldUntil(synced)
                .syncMessage(Messages.IN_SYNC);
    }

    private <T extends HasMetadata, K, V> Table<K, V> source(
            Class<T> type, Function<ObjectKey, K> key, BiFunction<T, Consumer<String>, Optional<V>> conversion) {
        Source<T, K, V> source = new Source<>(graph, type, key, conversion);
        sources.put(type, source);
        return source.rows();
    }

    private <T extends HasMetadata> Table<Policy.Key, Policy> policies(
            Class<T> type, BiFunction<T, Consumer<String>, Policy> conversion) {
        String kind = HasMetadata.getKind(type);
        return source(
                type,
                key -> new Policy.Key(kind, key.namespace() == null ? "" : key.namespace(), key.name()),
                (object, problems) -> Optional.of(conversion.apply(object, problems)));
    }

    /** Returns the graph. */
    public Graph graph() {
        return graph;
    }

    /** Returns the sink, whose partitions are hosts. */
    public PartitionedSink<String, Update> sink() {
        return sink;
    }

    /** Returns the barrier that opens when all kinds are in sync. */
    public Barrier synced() {
        return synced;
    }

    /** Returns the endpoints with what applies to them. */
    public Table<String, ?> endpoints() {
        return hosted;
    }

    /** Returns the objects of a kind. */
    public Optional<Source<?, ?, ?>> source(Class<? extends HasMetadata> type) {
        return Optional.ofNullable(sources.get(type));
    }

    /** Returns what could not be converted as written, sorted. */
    public List<String> problems() {
        Stream<String> ofObjects = sources.values().stream()
                .flatMap(source -> source.problems().toMap().values().stream())
                .flatMap(List::stream);
        Stream<String> ofTiers = missingTiers.toMap().keySet().stream().map(TierConversion::missing);
        return Stream.concat(ofObjects, ofTiers).sorted().toList();
    }
}
