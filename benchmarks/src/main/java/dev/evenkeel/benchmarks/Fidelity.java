package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Properties of a real API server: twelve questions about a test API, asked through the API itself. An API that does
 * not support a question has not passed it.
 */
enum Fidelity {
    /** Generations count changes of the spec, and nothing else. */
    GENERATION {
        @Override
        boolean test(Cluster world) {
            Deployment made = world.client().create(deployment());
            made.getSpec().setReplicas(3);
            Deployment changed = world.client().update(made);
            changed.getMetadata().setLabels(Map.of("a", "b"));
            Deployment labelled = world.client().update(changed);
            return made.getMetadata().getGeneration() == 1
                    && changed.getMetadata().getGeneration() == 2
                    && labelled.getMetadata().getGeneration() == 2;
        }
    },
    /** Each object has its own uid, even after another object of the same name was deleted. */
    UID {
        @Override
        boolean test(Cluster world) {
            String first = world.client().create(map("a")).getMetadata().getUid();
            var _ = world.client().delete(ConfigMap.class, ObjectKey.of("default", "a"));
            String second = world.client().create(map("a")).getMetadata().getUid();
            return first != null && second != null && !first.equals(second);
        }
    },
    /** The creation timestamp is set, and updates cannot change it. */
    CREATION_TIMESTAMP {
        @Override
        boolean test(Cluster world) {
            ConfigMap made = world.client().create(map("a"));
            ConfigMap sent = map("a");
            sent.getMetadata().setResourceVersion(made.getMetadata().getResourceVersion());
            sent.setData(Map.of("a", "b"));
            ConfigMap updated = world.client().update(sent);
            return made.getMetadata().getCreationTimestamp() != null
                    && made.getMetadata()
                            .getCreationTimestamp()
                            .equals(updated.getMetadata().getCreationTimestamp());
        }
    },
    /** Objects owned by a deleted object are deleted too. */
    OWNER_COLLECTION {
        @Override
        boolean test(Cluster world) {
            ConfigMap parent = world.client().create(map("a"));
            ConfigMap child = map("b");
            OwnerReferences.control(parent, child);
            var _ = world.client().create(child);
            var _ = world.client().delete(ConfigMap.class, ObjectKey.of("default", "a"));
            return soon(() -> world.client()
                    .find(ConfigMap.class, ObjectKey.of("default", "b"))
                    .isEmpty());
        }
    },
    /** Objects in a deleted namespace are deleted too. */
    NAMESPACE_DELETION {
        @Override
        boolean test(Cluster world) {
            var _ = world.client()
                    .create(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName("n")
                            .endMetadata()
                            .build());
            ConfigMap map = map("a");
            map.getMetadata().setNamespace("n");
            var _ = world.client().create(map);
            var _ = world.client().delete(Namespace.class, ObjectKey.cluster("n"));
            return soon(() ->
                    world.client().find(ConfigMap.class, ObjectKey.of("n", "a")).isEmpty());
        }
    },
    /** Applying a field of another manager is refused. */
    APPLY_CONFLICTS {
        @Override
        boolean test(Cluster world) {
            ConfigMap one = map("a");
            one.setData(Map.of("k", "1"));
            var _ = world.client().apply(one, WriteOptions.DEFAULT.fieldManager("one"));
            ConfigMap two = map("a");
            two.setData(Map.of("k", "2"));
            try {
                var _ = world.client().apply(two, WriteOptions.DEFAULT.fieldManager("two"));
                return false;
            } catch (ConflictException e) {
                return true;
            }
        }
    },
    /** Schemas fill in absent fields, and remove unknown ones. */
    DEFAULTS_AND_PRUNING {
        @Override
        boolean test(Cluster world) {
            define(world);
            GenericKubernetesResource made = world.client().create(WIDGETS, widget("{other: 1}"), WriteOptions.DEFAULT);
            return Integer.valueOf(3).equals(made.<Object>get("spec", "size"))
                    && made.<Object>get("spec", "other") == null;
        }
    },
    /** Rules of schemas are enforced. */
    RULES {
        @Override
        boolean test(Cluster world) {
            define(world);
            try {
                var _ = world.client().create(WIDGETS, widget("{size: 5, most: 4}"), WriteOptions.DEFAULT);
                return false;
            } catch (InvalidException e) {
                return String.valueOf(e.getMessage()).contains("no more than most");
            }
        }
    },
    /** Lists can be selected by fields. */
    FIELD_SELECTORS {
        @Override
        boolean test(Cluster world) {
            for (String node : new String[] {"one", "two"}) {
                Pod pod = new io.fabric8.kubernetes.api.model.PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(node)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node)
                        .addNewContainer()
                        .withName("c")
                        .withImage("i")
                        .endContainer()
                        .endSpec()
                        .build();
                var _ = world.client().create(pod);
            }
            return world.client()
                            .list(Pod.class, ListOptions.in("default").fields(FieldSelector.parse("spec.nodeName=one")))
                            .items()
                            .size()
                    == 1;
        }
    },
    /** A dry run does not change anything. */
    DRY_RUN {
        @Override
        boolean test(Cluster world) {
            var _ = world.client().create(Kind.of(ConfigMap.class), map("a"), WriteOptions.DEFAULT.dryRun(true));
            return world.client()
                    .find(ConfigMap.class, ObjectKey.of("default", "a"))
                    .isEmpty();
        }
    },
    /** A watch sends a bookmark after the initial objects. */
    BOOKMARKS {
        @Override
        boolean test(Cluster world) throws InterruptedException {
            var _ = world.client().create(map("a"));
            try (Watch<ConfigMap> watch = world.client()
                    .watch(
                            ConfigMap.class,
                            ListOptions.in("default").sendInitialEvents(true).timeout(Duration.ofSeconds(2)))) {
                for (var event = watch.next(); event.isPresent(); event = watch.next()) {
                    if (event.get().initialEventsEnd()) {
                        return true;
                    }
                }
                return false;
            }
        }
    },
    /** A watch from an expired version is refused. */
    EXPIRED_WATCHES {
        @Override
        boolean test(Cluster world) throws InterruptedException {
            String before = world.client().create(map("a")).getMetadata().getResourceVersion();
            for (String name : new String[] {"b", "c", "d"}) {
                var _ = world.client().create(map(name));
            }
            world.forget();
            try (Watch<ConfigMap> watch = world.client()
                    .watch(
                            ConfigMap.class,
                            ListOptions.in("default").resourceVersion(before).timeout(Duration.ofSeconds(2)))) {
                var _ = watch.next();
                return false;
            } catch (ExpiredException e) {
                return true;
            }
        }
    };

    private static final Kind<GenericKubernetesResource> WIDGETS =
            Kind.generic("bench.evenkeel.dev", "v1", "Widget", "widgets", true);

    /** The API under test: a new one for each question. */
    interface Cluster {
        Client client();

        /** Compacts the history, where that is supported. */
        default void forget() {}
    }

    /** Returns true if this API has the property. */
    abstract boolean test(Cluster world) throws InterruptedException;

    /** Returns true if this API has the property; an API that fails at the question does not. */
    boolean passes(Cluster world) throws InterruptedException {
        try {
            return test(world);
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static boolean soon(BooleanSupplier condition) {
        long end = System.nanoTime() + 500_000_000;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static Deployment deployment() {
        return ModelCodec.convert(Manifests.parse("""
                                apiVersion: apps/v1
                                kind: Deployment
                                metadata: {namespace: default, name: d}
                                spec:
                                  replicas: 1
                                  selector: {matchLabels: {a: b}}
                                  template:
                                    metadata: {labels: {a: b}}
                                    spec: {containers: [{name: c, image: i}]}
                                """).getFirst(), Deployment.class);
    }

    private static void define(Cluster world) {
        var _ = world.client()
                .create(ModelCodec.convert(Manifests.parse("""
                                        apiVersion: apiextensions.k8s.io/v1
                                        kind: CustomResourceDefinition
                                        metadata: {name: widgets.bench.evenkeel.dev}
                                        spec:
                                          group: bench.evenkeel.dev
                                          names: {kind: Widget, plural: widgets}
                                          scope: Namespaced
                                          versions:
                                          - name: v1
                                            served: true
                                            storage: true
                                            schema:
                                              openAPIV3Schema:
                                                type: object
                                                properties:
                                                  spec:
                                                    type: object
                                                    properties:
                                                      size: {type: integer, default: 3}
                                                      most: {type: integer}
                                                    x-kubernetes-validations:
                                                    - rule: "!has(self.most) || self.size <= self.most"
                                                      message: no more than most
                                        """).getFirst(), CustomResourceDefinition.class));
    }

    private static GenericKubernetesResource widget(String spec) {
        return Manifests.parse("{apiVersion: bench.evenkeel.dev/v1, kind: Widget,"
                        + " metadata: {namespace: default, name: w}, spec: " + spec + "}")
                .getFirst();
    }

    static Map<Fidelity, Boolean> of(Supply supply) throws Exception {
        Map<Fidelity, Boolean> answers = new LinkedHashMap<>();
        for (Fidelity question : values()) {
            try (Asked asked = supply.world()) {
                answers.put(question, question.passes(asked));
            }
        }
        return answers;
    }

    /** An API that is used for one question. */
    interface Asked extends Cluster, AutoCloseable {
        @Override
        void close();
    }

    /** Creates APIs. */
    @FunctionalInterface
    interface Supply {
        Asked world() throws Exception;
    }
}
