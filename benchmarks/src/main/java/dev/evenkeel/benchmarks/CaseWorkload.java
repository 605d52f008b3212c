package dev.evenkeel.benchmarks;

import static dev.evenkeel.benchmarks.ReportSection.check;

import dev.evenkeel.benchmarks.Measurement.Unit;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.URI;
import java.util.function.Consumer;

/**
 * Cases of a table test: each has an API of its own, with one object; a reconciliation that reads it, adds a finalizer,
 * creates a child that it owns and annotates it; and a check of the result. In every fifth case the creation fails, and
 * the case checks that the annotation is missing.
 */
final class CaseWorkload {
    private static final String FINALIZER = "bench.evenkeel.dev/finalizer";
    private static final Kind<ConfigMap> KIND = Kind.of(ConfigMap.class);
    private static final ObjectKey PARENT = ObjectKey.of("default", "parent");
    private static final ObjectKey CHILD = ObjectKey.of("default", "child");

    private static final String ANNOTATE = "{\"metadata\":{\"annotations\":{\"done\":\"yes\"}}}";

    private CaseWorkload() {}

    private static final class Injected extends RuntimeException {
        Injected() {
            super("injected", null, false, false);
        }
    }

    static void run(ReportSection section) {
        int cases = section.quick() ? 2_000 : 10_000;
        double _ = perSecond(1_000, CaseWorkload::ours);
        double _ = perSecond(100, CaseWorkload::theirs);
        both(section, 85, 85);
        both(section, cases, cases / 40);
        section.elsewhere("Go: 635/s with the fake client of controller-runtime, which checks and defaults nothing");
    }

    private static void both(ReportSection section, int cases, int peersCases) {
        section.both(
                "cases: table of " + cases,
                Unit.PER_SECOND,
                perSecond(cases, CaseWorkload::ours),
                perSecond(peersCases, CaseWorkload::theirs),
                MockServer.NAME);
    }

    /** Runs a case many times, given whether its creation fails. */
    private static double perSecond(int cases, Consumer<Boolean> one) {
        long began = System.nanoTime();
        for (int i = 0; i < cases; i++) {
            try {
                one.accept(i % 5 == 0);
            } catch (RuntimeException e) {
                throw new IllegalStateException("case " + i + ": " + e.getMessage(), e);
            }
        }
        return cases / ((System.nanoTime() - began) / 1e9);
    }

    private static void fails(boolean fails, Runnable reconcile) {
        try {
            reconcile.run();
            check(!fails, "the injected failure comes out");
        } catch (Injected e) {
            check(fails, "nothing else fails");
        }
    }

    private static ConfigMap parent() {
        return new ConfigMapBuilder()
                .withMetadata(Fixture.named("parent"))
                .addToData("replicas", "3")
                .build();
    }

    private static ConfigMap child(ConfigMap parent) {
        ConfigMap child = new ConfigMapBuilder()
                .withMetadata(Fixture.named("child"))
                .addToData(parent.getData())
                .build();
        OwnerReferences.control(parent, child);
        return child;
    }

    private static void ours(boolean fails) {
        try (Engine engine = Engine.create()) {
            Client client = engine.client();
            client.create(parent());
            fails(fails, () -> reconcile(client, fails));
            ConfigMap after = client.get(KIND, PARENT);
            check(Finalizers.has(after, FINALIZER), "the finalizer is set");
            check(client.find(KIND, CHILD).isPresent() != fails, "the child exists unless its creation failed");
            check(after.getMetadata().getAnnotations().containsKey("done") != fails, "so is the annotation");
        }
    }

    private static void reconcile(Client client, boolean fails) {
        ConfigMap parent = client.get(KIND, PARENT);
        if (Finalizers.add(parent, FINALIZER)) {
            parent = client.update(parent);
        }
        if (client.find(KIND, CHILD).isEmpty()) {
            if (fails) {
                throw new Injected();
            }
            client.create(child(parent));
        }
        client.patch(KIND, PARENT, Patch.merge(ANNOTATE), WriteOptions.DEFAULT);
    }

    private static void theirs(boolean fails) {
        try (ServerUnderTest server = new MockServer();
                var client = Peers.fabric8(URI.create("http://localhost:" + server.port()))) {
            var maps = client.configMaps().inNamespace("default");
            ConfigMap _ = maps.resource(parent()).create();
            fails(fails, () -> reconcile(maps, fails));
            ConfigMap after = maps.withName("parent").get();
            check(Finalizers.has(after, FINALIZER), "the finalizer is set");
            check((maps.withName("child").get() != null) != fails, "the child exists unless its creation failed");
        }
    }

    private static void reconcile(
            NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>> maps, boolean fails) {
        ConfigMap parent = maps.withName("parent").get();
        if (Finalizers.add(parent, FINALIZER)) {
            parent = maps.resource(parent).update();
        }
        if (maps.withName("child").get() == null) {
            if (fails) {
                throw new Injected();
            }
            ConfigMap _ = maps.resource(child(parent)).create();
        }
        ConfigMap _ = maps.withName("parent").patch(PatchContext.of(PatchType.JSON_MERGE), ANNOTATE);
    }
}
