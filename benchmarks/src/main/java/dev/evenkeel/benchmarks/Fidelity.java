package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/**
 * Properties of a real API server: twelve questions about a test API, asked through the API itself. An API that does
 * not support a question has not passed it.
 */
enum Fidelity {
    /** Generations count changes of the spec, and nothing else. */
    GENERATION((client, forget) -> {
        Deployment made = client.create(deployment());
        made.getSpec().setReplicas(3);
        Deployment changed = client.update(made);
        changed.getMetadata().setLabels(Map.of("a", "b"));
        Deployment labelled = client.update(changed);
        return made.getMetadata().getGeneration() == 1
                && changed.getMetadata().getGeneration() == 2
                && labelled.getMetadata().getGeneration() == 2;
    }),
    /** Each object has its own uid, even after another object of the same name was deleted. */
    UID((client, forget) -> {
        String first = client.create(map("a")).getMetadata().getUid();
        var _ = client.delete(ConfigMap.class, key("a"));
        String second = client.create(map("a")).getMetadata().getUid();
        return first != null && second != null && !first.equals(second);
    }),
    /** The creation timestamp is set, and updates cannot change it. */
    CREATION_TIMESTAMP((client, forget) -> {
        ConfigMap made = client.create(map("a"));
        String timestamp = made.getMetadata().getCreationTimestamp();
        ConfigMap sent = map("a", "b");
        sent.getMetadata().setResourceVersion(made.getMetadata().getResourceVersion());
        ConfigMap updated = client.update(sent);
        return timestamp != null && timestamp.equals(updated.getMetadata().getCreationTimestamp());
    }),
    /** Objects owned by a deleted object are deleted too. */
    OWNER_COLLECTION((client, forget) -> {
        ConfigMap parent = client.create(map("a"));
        ConfigMap child = map("b");
        OwnerReferences.control(parent, child);
        var _ = client.create(child);
        var _ = client.delete(ConfigMap.class, key("a"));
        return soon(() -> client.find(ConfigMap.class, key("b")).isEmpty());
    }),
    /** Objects in a deleted namespace are deleted too. */
    NAMESPACE_DELETION((client, forget) -> {
        var _ = client.create(Fixture.parse(Namespace.class, "{apiVersion: v1, kind: Namespace, metadata: {name: n}}"));
        ConfigMap map = map("a");
        map.getMetadata().setNamespace("n");
        var _ = client.create(map);
        var _ = client.delete(Namespace.class, ObjectKey.cluster("n"));
        return soon(() -> client.find(ConfigMap.class, ObjectKey.of("n", "a")).isEmpty());
    }),
    /** Applying a field of another manager is refused. */
    APPLY_CONFLICTS((client, forget) -> {
        var _ = client.apply(map("a", "1"), WriteOptions.DEFAULT.fieldManager("one"));
        try {
            var _ = client.apply(map("a", "2"), WriteOptions.DEFAULT.fieldManager("two"));
            return false;
        } catch (ConflictException e) {
            return true;
        }
    }),
    /** Schemas fill in absent fields, and remove unknown ones. */
    DEFAULTS_AND_PRUNING((client, forget) -> {
        GenericKubernetesResource made = createWidget(client, "{other: 1}");
        return Integer.valueOf(3).equals(made.<Object>get("spec", "size")) && made.<Object>get("spec", "other") == null;
    }),
    /** Rules of schemas are enforced. */
    RULES((client, forget) -> {
        try {
            var _ = createWidget(client, "{size: 5, most: 4}");
            return false;
        } catch (InvalidException e) {
            return String.valueOf(e.getMessage()).contains("no more than most");
        }
    }),
    /** Lists can be selected by fields. */
    FIELD_SELECTORS((client, forget) -> {
        for (String node : new String[] {"one", "two"}) {
            var _ = client.create(Fixture.parse(Pod.class, """
                    apiVersion: v1
                    kind: Pod
                    metadata: {namespace: default, name: %1$s}
                    spec: {nodeName: %1$s, containers: [{name: c, image: i}]}
                    """.formatted(node)));
        }
        ListOptions one = ListOptions.in("default").fields(FieldSelector.parse("spec.nodeName=one"));
        return client.list(Pod.class, one).items().size() == 1;
    }),
    /** A dry run does not change anything. */
    DRY_RUN((client, forget) -> {
        var _ = client.create(Kind.of(ConfigMap.class), map("a"), WriteOptions.DEFAULT.dryRun(true));
        return client.find(ConfigMap.class, key("a")).isEmpty();
    }),
    /** A watch sends a bookmark after the initial objects. */
    BOOKMARKS((client, forget) -> {
        var _ = client.create(map("a"));
        try (Watch<ConfigMap> watch = client.watch(ConfigMap.class, shortly().sendInitialEvents(true))) {
            for (var event = watch.next(); event.isPresent(); event = watch.next()) {
                if (event.get().initialEventsEnd()) {
                    return true;
                }
            }
            return false;
        }
    }),
    /** A watch from an expired version is refused. */
    EXPIRED_WATCHES((client, forget) -> {
        String before = client.create(map("a")).getMetadata().getResourceVersion();
        for (String name : new String[] {"b", "c", "d"}) {
            var _ = client.create(map(name));
        }
        forget.run();
        try (Watch<ConfigMap> watch = client.watch(ConfigMap.class, shortly().resourceVersion(before))) {
            var _ = watch.next();
            return false;
        } catch (ExpiredException e) {
            return true;
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final Question question;

    Fidelity(Question question) {
        this.question = question;
    }

    /** Tests an API for a property, given an action that compacts its history. */
    @FunctionalInterface
    private interface Question {
        boolean test(Client client, Runnable forget) throws InterruptedException;
    }

    /** An API for one question, and an action that compacts its history, where that is supported. */
    record Cluster(Client client, Runnable forget, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }

    /** Returns the properties that an API has; if it fails at a question, it does not have the property. */
    static Map<Fidelity, Boolean> of(Callable<Cluster> supply) throws Exception {
        Map<Fidelity, Boolean> answers = new LinkedHashMap<>();
        for (Fidelity property : values()) {
            try (Cluster cluster = supply.call()) {
                answers.put(property, property.isOf(cluster));
            }
        }
        return answers;
    }

    private boolean isOf(Cluster cluster) throws InterruptedException {
        try {
            return question.test(cluster.client, cluster.forget);
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

    private static ListOptions shortly() {
        return ListOptions.in("default").timeout(Duration.ofSeconds(2));
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder().withMetadata(Fixture.named(name)).build();
    }

    private static ConfigMap map(String name, String value) {
        ConfigMap map = map(name);
        map.setData(Map.of("k", value));
        return map;
    }

    private static Deployment deployment() {
        return Fixture.parse(Deployment.class, """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {namespace: default, name: d}
                spec:
                  replicas: 1
                  selector: {matchLabels: {a: b}}
                  template:
                    metadata: {labels: {a: b}}
                    spec: {containers: [{name: c, image: i}]}
                """);
    }

    /** Defines the type of Widgets, and creates one. */
    private static GenericKubernetesResource createWidget(Client client, String spec) {
        var _ = client.create(Fixture.parse(CustomResourceDefinition.class, """
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
                """));
        GenericKubernetesResource widget = Manifests.parse("{apiVersion: bench.evenkeel.dev/v1, kind: Widget,"
                        + " metadata: {namespace: default, name: w}, spec: " + spec + "}")
                .getFirst();
        Kind<GenericKubernetesResource> widgets = Kind.generic("bench.evenkeel.dev", "v1", "Widget", "widgets", true);
        return client.create(widgets, widget, WriteOptions.DEFAULT);
    }
}
