package dev.evenkeel.controller;

import static dev.evenkeel.controller.Objects.configMap;
import static dev.evenkeel.controller.Objects.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Secrets that refer to config maps by an annotation, with a controller of each, in virtual time. */
@Timeout(300)
class ReferenceTest {
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    private static final Reference<Secret, ConfigMap> NAMED = Reference.of(
            "map", SECRETS, MAPS, secret -> Stream.of(annotation(secret, "map").split(",")));
    private static final Reference<Secret, ConfigMap> SELECTED = Reference.selecting(
            "maps",
            SECRETS,
            MAPS,
            secret -> Optional.of(annotation(secret, "maps"))
                    .filter(text -> !text.isEmpty())
                    .map(LabelSelector::parse));

    private static String annotation(Secret secret, String name) {
        return secret.getMetadata().getAnnotations().getOrDefault(name, "");
    }

    /** A cluster, and the keys that controllers of both kinds have reconciled. */
    private static final class Run implements AutoCloseable {
        final Engine engine = Engine.create();
        final Client client = engine.client();
        final BatonScheduler time;
        final Manager manager;
        final List<String> secrets = new ArrayList<>();
        final List<String> maps = new ArrayList<>();

        /** The number of secrets that refer to a map, when that was last reconciled. */
        final Map<String, Integer> counts = new HashMap<>();

        Run(long seed, Reference<Secret, ConfigMap> reference) {
            time = new BatonScheduler(seed);
            manager = Manager.builder(client)
                    .scheduler(time)
                    .build()
                    .add(Controller.of(SECRETS, reconciliation -> {
                                secrets.add(reconciliation.key().name());
                                return Result.done();
                            })
                            .refersTo(reference))
                    .add(Controller.of(MAPS, reconciliation -> {
                                String name = reconciliation.key().name();
                                maps.add(name);
                                reconciliation
                                        .resource()
                                        .ifPresent(map -> counts.put(
                                                name,
                                                reference
                                                        .sourcesOf(map, reconciliation.cache(SECRETS))
                                                        .size()));
                                return Result.done();
                            })
                            .referredBy(reference));
        }

        void secret(String name, String annotation, String value) {
            client.create(new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName(name)
                    .addToAnnotations(annotation, value)
                    .endMetadata()
                    .build());
        }

        void refer(String name, String annotation, String value) {
            client.update(new SecretBuilder(client.get(SECRETS, key(name)))
                    .editMetadata()
                    .addToAnnotations(annotation, value)
                    .endMetadata()
                    .build());
        }

        void label(String name, String label, String value) {
            client.update(new ConfigMapBuilder(client.get(MAPS, key(name)))
                    .editMetadata()
                    .addToLabels(label, value)
                    .endMetadata()
                    .build());
        }

        void settle() {
            secrets.clear();
            maps.clear();
            time.advance(Duration.ofMillis(50));
        }

        @Override
        public void close() {
            Scheduler.Job job = time.execute("test", manager::close);
            for (int i = 0; i < 600 && !job.ended().isDone(); i++) {
                time.advance(Duration.ofMillis(100));
            }
            assertThat(job.ended()).isDone();
            engine.close();
        }
    }

    @Test
    void aReferenceThatMovesTriggersBothTargets() {
        try (Run run = new Run(1, NAMED)) {
            List.of("a", "b", "c").forEach(name -> run.client.create(configMap(name, "1")));
            run.secret("one", "map", "a");
            run.manager.start();
            run.settle();
            assertThat(run.counts).containsEntry("a", 1).containsEntry("b", 0);

            run.refer("one", "map", "b");
            run.settle();
            assertThat(run.maps).containsExactlyInAnyOrder("a", "b");
            assertThat(run.counts).containsEntry("a", 0).containsEntry("b", 1);

            run.refer("one", "map", "b,c");
            run.settle();
            assertThat(run.maps).containsExactlyInAnyOrder("b", "c");

            run.client.delete(Secret.class, key("one"));
            run.settle();
            assertThat(run.maps).containsExactlyInAnyOrder("b", "c");
            assertThat(run.counts).containsEntry("b", 0).containsEntry("c", 0);
        }
    }

    @Test
    void aTargetThatAppearsChangesOrIsDeletedTriggersTheSources() {
        try (Run run = new Run(1, NAMED)) {
            run.secret("one", "map", "a");
            run.secret("two", "map", "a");
            run.secret("three", "map", "b");
            run.manager.start();
            run.settle();

            run.client.create(configMap("a", "1"));
            run.settle();
            assertThat(run.secrets).containsExactlyInAnyOrder("one", "two");
            run.label("a", "app", "web");
            run.settle();
            assertThat(run.secrets).containsExactlyInAnyOrder("one", "two");
            run.client.delete(ConfigMap.class, key("a"));
            run.settle();
            assertThat(run.secrets).containsExactlyInAnyOrder("one", "two");
        }
    }

    @Test
    void aSelectorIsAReferenceToAllThatItSelects() {
        try (Run run = new Run(1, SELECTED)) {
            List.of("a", "b").forEach(name -> run.client.create(configMap(name, "1")));
            run.label("a", "app", "web");
            run.label("b", "app", "db");
            run.secret("web", "maps", "app=web");
            run.secret("apps", "maps", "app");
            run.secret("none", "map", "");
            run.manager.start();
            run.settle();
            assertThat(run.counts).containsEntry("a", 2).containsEntry("b", 1);

            run.label("b", "app", "web");
            run.settle();
            assertThat(run.secrets).containsExactlyInAnyOrder("web", "apps");
            assertThat(run.counts).containsEntry("b", 2);

            run.refer("web", "maps", "app=db");
            run.settle();
            assertThat(run.maps).containsExactlyInAnyOrder("a", "b");
            assertThat(run.counts).containsEntry("a", 1).containsEntry("b", 1);
        }
    }

    @Test
    void aSelectorOfAnotherNamespaceSelectsNothing() {
        try (Run run = new Run(1, SELECTED)) {
            run.client.create(new ConfigMapBuilder(configMap("a", "1"))
                    .editMetadata()
                    .withNamespace("kube-system")
                    .addToLabels("app", "web")
                    .endMetadata()
                    .build());
            run.secret("web", "maps", "app=web");
            run.manager.start();
            run.settle();
            assertThat(run.counts).containsEntry("a", 0);
        }
    }

    /** Handlers of changes lag behind the cache, from which counts are read: no target may be left with an old count. */
    @Test
    void countsAreRightWhateverTheOrder() {
        for (long seed = 1; seed <= 20; seed++) {
            try (Run run = new Run(seed, NAMED)) {
                SplittableRandom random = new SplittableRandom(seed);
                List<String> names = List.of("a", "b", "c", "d");
                names.forEach(name -> run.client.create(configMap(name, "1")));
                run.manager.start();
                Map<String, String> truth = new HashMap<>();
                for (int i = 0; i < 60; i++) {
                    String secret = "s" + random.nextInt(4);
                    String target = names.get(random.nextInt(names.size()));
                    if (!truth.containsKey(secret)) {
                        run.secret(secret, "map", target);
                        truth.put(secret, target);
                    } else if (random.nextInt(4) == 0) {
                        run.client.delete(Secret.class, key(secret));
                        truth.remove(secret);
                    } else {
                        run.refer(secret, "map", target);
                        truth.put(secret, target);
                    }
                    if (random.nextInt(8) == 0) {
                        run.label(target, "n", Integer.toString(i));
                    }
                    if (random.nextInt(3) == 0) {
                        run.time.advance(Duration.ofNanos(1));
                    }
                }
                run.settle();
                for (String name : names) {
                    int expected =
                            (int) truth.values().stream().filter(name::equals).count();
                    assertThat(run.counts).as("seed %d: %s", seed, truth).containsEntry(name, expected);
                }
            }
        }
    }

    @Test
    void aNameIsNotEnoughForAClusterScopedSource() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reference.of("map", Kind.of(Namespace.class), MAPS, namespace -> Stream.of("a")))
                .withMessage("reference map: configmaps are namespaced and namespaces are not, so a name is not enough:"
                        + " use Reference.ofKeys");
    }

    @Test
    void aReferenceCanNameTheNamespace() {
        Reference<Namespace, ConfigMap> reference = Reference.ofKeys(
                "map", Kind.of(Namespace.class), MAPS, namespace -> Stream.of(ObjectKey.of("default", "a")));
        assertThat(reference.name()).isEqualTo("map");
        assertThat(reference.source().id()).isEqualTo("namespaces");
        assertThat(reference).hasToString("map of namespaces to configmaps");
    }
}
