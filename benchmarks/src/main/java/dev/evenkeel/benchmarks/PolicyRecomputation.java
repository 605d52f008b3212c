package dev.evenkeel.benchmarks;

import dev.evenkeel.policy.internal.convert.PolicyModel;
import dev.evenkeel.policy.internal.model.Endpoint;
import dev.evenkeel.policy.internal.model.Match;
import dev.evenkeel.policy.internal.model.Networks;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.Profile;
import dev.evenkeel.policy.internal.model.Rule;
import dev.evenkeel.policy.internal.model.SetMember;
import dev.evenkeel.policy.internal.selector.Selector;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The straightforward way to calculate the state of a host: it converts all objects, keeps them by their names, evaluates
 * the selector of each policy for each endpoint of the host, and those of the rules for everything that has addresses.
 */
final class PolicyRecomputation implements SnapshotProcess.Calculation {
    private PolicyModel model = PolicyModel.of(List.of(), problem -> {});
    private final Map<String, Set<SetMember>> sets = new LinkedHashMap<>();
    private final Map<String, List<Policy>> policiesOf = new HashMap<>();
    private final Map<Policy.Key, Policy> policies = new HashMap<>();
    private final Map<String, Profile> profiles = new HashMap<>();

    private int calculations;

    @Override
    public int calculations() {
        return calculations;
    }

    @Override
    public void convert(PolicyWorld world) {
        List<HasMetadata> all = new ArrayList<>(world.before());
        all.addAll(world.local());
        model = PolicyModel.of(all, problem -> {});
    }

    @Override
    public Map<String, Integer> calculate() {
        calculations++;
        List<Endpoint> local = model.endpoints().stream()
                .filter(endpoint -> endpoint.node().equals(PolicyWorld.HOST))
                .toList();
        for (Endpoint endpoint : local) {
            Map<String, String> labels = model.labels(endpoint);
            List<Policy> applies = model.policies().stream()
                    .filter(policy -> policy.selector().matches(labels::get))
                    .toList();
            policiesOf.put(endpoint.name(), applies);
            applies.forEach(policy -> policies.put(policy.key(), policy));
            endpoint.profiles()
                    .forEach(name -> profiles.put(name, model.profiles().getOrDefault(name, Profile.missing(name))));
        }
        Map<String, Selector> selectors = new LinkedHashMap<>();
        policies.values().stream()
                .flatMap(policy -> Stream.concat(policy.ingress().stream(), policy.egress().stream()))
                .flatMap(PolicyRecomputation::ends)
                .flatMap(end -> end.selector().stream())
                .forEach(selector -> selectors.put(selector.text(), selector));
        selectors.keySet().forEach(text -> sets.put(text, new HashSet<>()));
        for (Endpoint endpoint : model.endpoints()) {
            add(selectors, model.labels(endpoint), endpoint.addresses());
        }
        for (Networks networks : model.networks()) {
            add(selectors, model.labels(networks), networks.nets());
        }
        Map<String, Integer> kinds = new TreeMap<>();
        kinds.put("IP_SET_UPDATE", sets.size());
        kinds.put("ACTIVE_POLICY_UPDATE", policies.size());
        kinds.put("ACTIVE_PROFILE_UPDATE", profiles.size());
        kinds.put("WORKLOAD_ENDPOINT_UPDATE", local.size());
        return kinds;
    }

    private static Stream<Match> ends(Rule rule) {
        return Stream.of(rule.source(), rule.destination());
    }

    private void add(Map<String, Selector> selectors, Map<String, String> labels, List<? extends SetMember> members) {
        selectors.forEach((text, selector) -> {
            if (selector.matches(labels::get)) {
                Objects.requireNonNull(sets.get(text)).addAll(members);
            }
        });
    }

    @Override
    public int removeLocal(PolicyWorld world) {
        int removed =
                sets.size() + policies.size() + profiles.size() + world.local().size();
        sets.clear();
        policies.clear();
        profiles.clear();
        policiesOf.clear();
        return removed;
    }

    @Override
    public void close() {
        sets.clear();
    }
}
