package dev.evenkeel.reconcile;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.child.ChildReconciler;
import dev.evenkeel.reconcile.child.ChildSetReconciler;
import dev.evenkeel.reconcile.flow.Always;
import dev.evenkeel.reconcile.flow.IfThen;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import dev.evenkeel.reconcile.flow.WithFinalizer;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Right reconcilers, drawn from a seed: one or two controllers; children that are created, optional, applied with a
 * finalizer or sets; external state with idempotent calls, held by a finalizer; statuses; sequences, conditions and
 * parts that always run, nested; one to three objects, and some changes of users.
 */
final class GeneratedReconcilers {
    private static final String FINALIZER = "test.evenkeel.dev/entry-";
    private static final List<String> COLORS = List.of("red", "green", "blue");

    /** An external system: entries under names that callers choose. */
    interface Registry {
        void put(String name, String value);

        void tag(String name, String value);

        void remove(String name);
    }

    private static final class InMemoryRegistry implements Registry {
        private final Map<String, String> entries = new TreeMap<>();

        @Override
        public void put(String name, String value) {
            entries.put(name, value);
        }

        @Override
        public void tag(String name, String value) {
            entries.put(name + " tag", value);
        }

        @Override
        public void remove(String name) {
            entries.remove(name);
            entries.remove(name + " tag");
        }

        Map<String, String> entries() {
            return entries;
        }
    }

    private final Random random;
    private final List<String> words = new ArrayList<>();

    private GeneratedReconcilers(long seed) {
        random = new Random(seed);
    }

    /** A check, and a description of what is checked. */
    record Generated(String description, Convergence<?> convergence) {}

    static Generated of(long seed) {
        return new GeneratedReconcilers(seed).generate();
    }

    private Generated generate() {
        int controllers = 1 + random.nextInt(2);
        Function<Registry, SubReconciler<Thing>> things = parts(Thing.class, "t", GeneratedReconcilers::color);
        Convergence<Registry> convergence = Convergence.<Registry, InMemoryRegistry>external(
                        Registry.class, clock -> new InMemoryRegistry(), InMemoryRegistry::entries)
                .definitions(Thing.DEFINITION)
                .controller(registry -> controller(Thing.class, "things", things.apply(registry)));
        if (controllers == 2) {
            words.add("| services:");
            Function<Registry, SubReconciler<Service>> services = parts(Service.class, "s", GeneratedReconcilers::port);
            convergence = convergence
                    .controller(registry -> controller(Service.class, "services", services.apply(registry)))
                    .given(Given.yaml(
                            Service.class, "{metadata: {namespace: default, name: web}, spec: {ports: [{port: 80}]}}"));
        }
        int objects = 1 + random.nextInt(3);
        for (int i = 0; i < objects; i++) {
            convergence = convergence.given(Given.yaml(
                    Thing.class,
                    "{metadata: {namespace: default, name: thing%d}, spec: {size: %d, color: %s}}"
                            .formatted(i, random.nextInt(3), COLORS.get(random.nextInt(3)))));
        }
        int edits = random.nextInt(3);
        for (int i = 0; i < edits; i++) {
            ObjectKey key = ObjectKey.of("default", "thing" + random.nextInt(objects));
            String spec = "{\"spec\":{\"size\":%d,\"color\":\"%s\"}}"
                    .formatted(random.nextInt(3), COLORS.get(random.nextInt(3)));
            convergence = convergence.edit(
                    key + " " + spec,
                    client -> client.patch(Kind.of(Thing.class), key, Patch.merge(spec), WriteOptions.DEFAULT));
        }
        String description = objects + " objects, " + edits + " edits: " + String.join(" ", words);
        return new Generated(description, convergence);
    }

    private static <T extends HasMetadata> Controller<T> controller(Class<T> type, String name, SubReconciler<T> part) {
        ResourceReconciler.Builder<T> root =
                ResourceReconciler.of(type).name(name).reconciler(part);
        return (type == Thing.class ? root : root.skipStatus(true)).build().controller();
    }

    /** Draws some parts; those of one controller have different names and kinds of children. */
    private <T extends HasMetadata> Function<Registry, SubReconciler<T>> parts(
            Class<T> type, String prefix, Function<T, String> content) {
        List<Function<Registry, Part<T>>> parts = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        boolean hasChild = false;
        boolean hasSet = false;
        boolean hasAccount = false;
        for (int i = 0; i < count; i++) {
            String name = prefix + i;
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    if (!hasChild) {
                        hasChild = true;
                        boolean optional = random.nextBoolean();
                        add(
                                parts,
                                optional ? "optional-child" : "child",
                                registry -> child(type, name, content, optional));
                    }
                }
                case 2 -> {
                    if (!hasSet) {
                        hasSet = true;
                        add(parts, "set", registry -> set(type, name, content));
                    }
                }
                case 3 -> {
                    if (!hasAccount) {
                        hasAccount = true;
                        add(parts, "applied-child", registry -> account(type, name, content));
                    }
                }
                case 4 -> {
                    boolean tags = random.nextBoolean();
                    add(parts, tags ? "two-calls" : "call", registry -> entry(type, name, content, tags, registry));
                }
                default -> {
                    if (type == Thing.class) {
                        add(
                                parts,
                                "status",
                                registry -> SyncReconciler.of((reconciliation, object) -> {
                                    ((Thing) object).note(content.apply(object));
                                    return Result.done();
                                }));
                    }
                }
            }
        }
        if (parts.isEmpty()) {
            add(parts, "child", registry -> child(type, prefix, content, false));
        }
        int shape = random.nextInt(4);
        words.add(List.of("in sequence", "always", "nested", "conditional").get(shape));
        return registry -> {
            List<Part<T>> made =
                    parts.stream().map(part -> part.apply(registry)).toList();
            return composed(shape, made);
        };
    }

    private <T extends HasMetadata> void add(
            List<Function<Registry, Part<T>>> parts, String word, Function<Registry, Part<T>> part) {
        words.add(word);
        parts.add(part);
    }

    private static <T extends HasMetadata> SubReconciler<T> composed(int shape, List<Part<T>> parts) {
        return switch (shape) {
            case 0 -> chain(parts, Sequence::of);
            case 1 -> chain(parts, Always::of);
            case 2 -> Always.of(chain(parts, Sequence::of));
            default ->
                IfThen.of(
                        (reconciliation, object) ->
                                !object.getMetadata().getName().isEmpty(),
                        chain(parts, Sequence::of));
        };
    }

    /** Joins parts in pairs, from the left. */
    private static <T extends HasMetadata> Part<T> chain(List<Part<T>> parts, BinaryOperator<Part<T>> join) {
        return parts.stream().reduce(join).orElseThrow();
    }

    private static String color(Thing thing) {
        return thing.getSpec().color() + " " + thing.getSpec().size();
    }

    private static String port(Service service) {
        return service.getSpec().getPorts().getFirst().getPort().toString();
    }

    private static int size(HasMetadata object) {
        return object instanceof Thing thing ? thing.getSpec().size() : 1;
    }

    private static ObjectMetaBuilder named(HasMetadata object, String name) {
        return new ObjectMetaBuilder()
                .withNamespace(object.getMetadata().getNamespace())
                .withName(object.getMetadata().getName() + "-" + name);
    }

    private static <T extends HasMetadata> Part<T> child(
            Class<T> type, String name, Function<T, String> content, boolean optional) {
        return ChildReconciler.of(type, ConfigMap.class)
                .name(name)
                .desired((reconciliation, object) -> optional && size(object) == 0
                        ? Optional.empty()
                        : Optional.of(new ConfigMapBuilder()
                                .withMetadata(named(object, name)
                                        .addToLabels("part", name)
                                        .build())
                                .addToData("content", content.apply(object))
                                .build()))
                .merge((actual, desired) -> actual.setData(desired.getData()))
                .reflect((object, map) -> {})
                .build();
    }

    private static <T extends HasMetadata> Part<T> set(Class<T> type, String name, Function<T, String> content) {
        return ChildSetReconciler.of(type, Secret.class)
                .desired((reconciliation, object) -> IntStream.range(0, size(object))
                        .mapToObj(i -> new SecretBuilder()
                                .withMetadata(named(object, name + "-" + i).build())
                                .addToData("content", encoded(content.apply(object)))
                                .build())
                        .toList())
                .identify(secret -> secret.getMetadata().getName())
                .merge((actual, desired) -> actual.setData(desired.getData()))
                .reflect((object, secrets) -> {})
                .build();
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static <T extends HasMetadata> Part<T> account(Class<T> type, String name, Function<T, String> content) {
        return ChildReconciler.of(type, ServiceAccount.class)
                .desired((reconciliation, object) -> Optional.of(new ServiceAccountBuilder()
                        .withMetadata(named(object, name)
                                .addToLabels("of", object.getMetadata().getName())
                                .addToAnnotations("content", content.apply(object))
                                .build())
                        .build()))
                .selection((reconciliation, object) -> ListOptions.in("default")
                        .labels(LabelSelector.matching(
                                Map.of("of", object.getMetadata().getName()))))
                .ours((object, account) -> account.getMetadata()
                        .getName()
                        .equals(object.getMetadata().getName() + "-" + name))
                .finalizer("test.evenkeel.dev/account-" + name)
                .fieldManager("generated-" + name)
                .reflect((object, account) -> {})
                .build();
    }

    /** An entry in the registry: looked at before, since caches are behind, and after, since another may have taken over. */
    private static <T extends HasMetadata> Part<T> entry(
            Class<T> type, String name, Function<T, String> content, boolean tags, Registry registry) {
        String finalizer = FINALIZER + name;
        Part<T> state = SyncReconciler.of(type)
                .name(name)
                .sync((reconciliation, object) -> {
                    String entry = object.getMetadata().getName() + "-" + name;
                    if (!isWanted(reconciliation, object, finalizer)) {
                        throw new IllegalStateException("the cache is behind");
                    }
                    registry.put(entry, content.apply(object));
                    if (tags) {
                        registry.tag(entry, content.apply(object));
                    }
                    if (!isWanted(reconciliation, object, finalizer)) {
                        registry.remove(entry);
                    }
                    return Result.done();
                })
                .finalizing((reconciliation, object) -> {
                    registry.remove(object.getMetadata().getName() + "-" + name);
                    return Result.done();
                })
                .build();
        return WithFinalizer.of(type, finalizer, state);
    }

    private static <T extends HasMetadata> boolean isWanted(
            Reconciliation<T> reconciliation, T object, String finalizer) {
        try {
            T present = reconciliation.client().get(reconciliation.kind(), ObjectKey.of(object));
            return present.getMetadata().getUid().equals(object.getMetadata().getUid())
                    && Finalizers.has(present, finalizer);
        } catch (ApiException e) {
            return false;
        }
    }
}
