package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.SharedEngines.Member;
import dev.evenkeel.engine.SharedStore.Delivery;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.engine.spi.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random requests to three engines on the same data, which lag behind, lose the store and stop to tick. One client sends
 * all requests, so each answer is known whichever engine gives it; and once all engines work again, nothing is left to
 * collect.
 *
 * <p>{@code -Dengines.seed=7} runs one seed.
 */
@Timeout(300)
class SeveralEnginesRandomTest {
    private static final int STEPS = 150;
    private static final String MAPS = "v1/configmaps";
    private static final String CRDS = "apiextensions.k8s.io/v1/customresourcedefinitions";

    static LongStream seeds() {
        Long seed = Long.getLong("engines.seed");
        return seed == null ? new Random().longs(8) : LongStream.of(seed);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyAnswerIsRightAndNothingIsLeftToCollect(long seed) {
        try (SharedEngines engines = new SharedEngines(seed)) {
            new Run(engines, new Random(seed)).run();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("run again with -Dengines.seed=" + seed, e);
        }
    }

    private static final class Run {
        private final SharedEngines engines;
        private final Random random;
        private final List<Member> members = new ArrayList<>();
        private final Map<String, String> maps = new TreeMap<>();
        private final Map<String, String> owners = new TreeMap<>();
        private final Set<String> open = new HashSet<>(Set.of("default"));
        private final Set<String> removed = new HashSet<>();
        private final Set<Member> unreachable = new HashSet<>();
        private int made;

        Run(SharedEngines engines, Random random) {
            this.engines = engines;
            this.random = random;
            for (int i = 0; i < 3; i++) {
                members.add(engines.start(builder -> builder.settleTimeout(Duration.ofMillis(2))));
            }
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            members.forEach(member -> {
                member.store().reachable(true);
                member.store().deliver(Delivery.AT_ONCE);
            });
            for (int i = 0; i < 8; i++) {
                engines.pass(Duration.ofSeconds(4));
                members.forEach(member -> member.engine().tick());
                engines.idle();
            }
            check();
        }

        private void step() {
            Requests api = reachable().api();
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> write(api, "m" + random.nextInt(8));
                case 3 -> delete(api, "m" + random.nextInt(8));
                case 4 -> createOwned(api);
                case 5 -> deleteOwner(api);
                case 6 -> namespace(api);
                case 7 -> createInNamespace(api);
                case 8 -> definition(api);
                case 9 ->
                    api.create(
                            "v1/services",
                            "default",
                            "{'metadata':{'name':'s" + made++ + "'},'spec':{'ports':[{'port':80}]}}");
                case 10 -> any().store().deliver(Delivery.values()[random.nextInt(3)]);
                case 11 -> outage();
                case 12 -> {
                    engines.pass(Duration.ofSeconds(random.nextInt(7)));
                    any().engine().tick();
                    any().engine().tick();
                }
                default -> read(api);
            }
        }

        private Member any() {
            return members.get(random.nextInt(members.size()));
        }

        private Member reachable() {
            while (true) {
                Member member = any();
                if (!unreachable.contains(member)) {
                    return member;
                }
            }
        }

        private void write(Requests api, String name) {
            String value = Integer.toString(made++ % 3); // often the present value
            String body = "{'metadata':{'name':'" + name + "'},'data':{'k':'" + value + "'}}";
            try {
                api.create(MAPS, "default", body);
                assertThat(maps).doesNotContainKey(name);
            } catch (AlreadyExistsException e) {
                assertThat(maps).containsKey(name);
                api.update(MAPS, "default", name, body);
            }
            maps.put(name, value);
        }

        private void delete(Requests api, String name) {
            try {
                api.delete(MAPS, "default", name);
                assertThat(maps.remove(name)).as(name).isNotNull();
            } catch (NotFoundException e) {
                assertThat(maps).doesNotContainKey(name);
            }
        }

        private void read(Requests api) {
            Map<String, String> read = new TreeMap<>();
            for (String name : api.names(MAPS, "default")) {
                if (name.startsWith("m")) {
                    read.put(name, api.get(MAPS, "default", name).string("data", "k"));
                }
            }
            assertThat(read).isEqualTo(maps);
        }

        private void createOwned(Requests api) {
            String owner = "o" + made++;
            String uid = api.create(MAPS, "default", "{'metadata':{'name':'" + owner + "'}}")
                    .string("metadata", "uid");
            owners.put(owner, uid);
            for (int i = 0; i < 3; i++) {
                reachable()
                        .api()
                        .create(
                                MAPS,
                                "default",
                                "{'metadata':{'name':'owned-" + made++
                                        + "','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'" + owner
                                        + "','uid':'" + uid + "','blockOwnerDeletion':true}]}}");
            }
        }

        private void deleteOwner(Requests api) {
            Optional<String> owner = owners.keySet().stream().findFirst();
            owner.ifPresent(name -> {
                Propagation[] policies = {Propagation.BACKGROUND, Propagation.FOREGROUND};
                api.delete(MAPS, "default", name, policies[random.nextInt(2)]);
                owners.remove(name);
            });
        }

        private void namespace(Requests api) {
            if (open.size() < 3) {
                String name = "n" + made++;
                api.create("v1/namespaces", "", "{'metadata':{'name':'" + name + "'}}");
                open.add(name);
            } else {
                String name = open.stream()
                        .filter(n -> !n.equals("default"))
                        .findFirst()
                        .orElseThrow();
                api.delete("v1/namespaces", "", name);
                open.remove(name);
                removed.add(name);
            }
        }

        private void createInNamespace(Requests api) {
            String body = "{'metadata':{'name':'x" + made++ + "'}}";
            for (String name : open) {
                api.create(MAPS, name, body);
            }
            for (String name : removed) {
                try {
                    api.create(MAPS, name, body);
                    throw new AssertionError("created in the removed namespace " + name);
                } catch (ApiException e) {
                    assertThat(e.code()).isIn(403, 404);
                }
            }
        }

        private void definition(Requests api) {
            String plural = List.of("widgets", "things", "parts").get(random.nextInt(3));
            try {
                api.create(CRDS, "", """
                    {'metadata':{'name':'%1$s.x.io'},
                     'spec':{'group':'x.io','scope':'Namespaced','names':{'plural':'%1$s','kind':'Thing'},
                     'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':
                       {'type':'object'}}}]}}\
                    """.formatted(plural));
            } catch (AlreadyExistsException e) {
                // another engine may delete the definition at any time
                api.partition.resource("x.io", "v1", plural).ifPresent(type -> {
                    try {
                        api.create(type.withName("default", ""), """
                            {'apiVersion':'x.io/v1','kind':'Thing','metadata':{'name':'t%d'}}\
                            """.formatted(made++));
                    } catch (ApiException refused) {
                        assertThat(refused.code()).as(refused.getMessage()).isIn(403, 404, 405);
                    }
                });
                try {
                    api.delete(CRDS, "", plural + ".x.io");
                } catch (NotFoundException gone) {
                    // its objects are deleted
                }
            }
        }

        private void outage() {
            if (unreachable.isEmpty()) {
                Member member = any();
                member.store().reachable(false);
                unreachable.add(member);
            } else {
                unreachable.forEach(member -> member.store().reachable(true));
                unreachable.clear();
            }
        }

        private void check() {
            List<Map<Store.Key, Long>> states = new ArrayList<>();
            for (Member member : members) {
                Requests api = member.api();
                read(api);
                checkOwners(api);
                assertThat(api.names("v1/namespaces", "")).containsAll(open).doesNotContainAnyElementsOf(removed);
                removed.forEach(name -> assertThat(api.names(MAPS, name)).isEmpty());
                checkDefinitions(api);
                states.add(state(member.store().snapshot()));
            }
            assertThat(states).allMatch(states.getFirst()::equals);
            assertThat(members.getFirst().api().names("v1/services", "default").stream()
                            .map(name -> members.getFirst()
                                    .api()
                                    .get("v1/services", "default", name)
                                    .string("spec", "clusterIP")))
                    .doesNotHaveDuplicates();
        }

        private static void checkOwners(Requests api) {
            Set<String> uids = new HashSet<>();
            List<JsonObject> all = api.names(MAPS, "default").stream()
                    .map(name -> api.get(MAPS, "default", name))
                    .toList();
            all.forEach(object -> uids.add(object.string("metadata", "uid")));
            for (JsonObject object : all) {
                assertThat(object.objects("metadata", "ownerReferences"))
                        .as(object.string("metadata", "name"))
                        .allMatch(reference -> uids.contains(reference.string("uid")));
                assertThat(object.string("metadata", "deletionTimestamp")).isEmpty();
            }
        }

        private static void checkDefinitions(Requests api) {
            long accepted = 0;
            for (String name : api.names(CRDS, "")) {
                JsonObject definition = api.get(CRDS, "", name);
                assertThat(definition.string("metadata", "deletionTimestamp")).isEmpty();
                boolean established = definition.objects("status", "conditions").stream()
                        .anyMatch(condition -> condition.string("type").equals("Established")
                                && condition.string("status").equals("True"));
                assertThat(api.partition.types().type(name).isPresent())
                        .as(name)
                        .isEqualTo(established);
                accepted += definition.string("status", "acceptedNames", "kind").isEmpty() ? 0 : 1;
            }
            assertThat(accepted).isLessThanOrEqualTo(1);
        }

        private static Map<Store.Key, Long> state(Store.Snapshot snapshot) {
            Map<Store.Key, Long> state = new TreeMap<>();
            for (String collection : snapshot.collections()) {
                snapshot.range(collection, "", null, entry -> {
                    state.put(entry.key(), entry.revision());
                    return true;
                });
            }
            return state;
        }
    }
}
