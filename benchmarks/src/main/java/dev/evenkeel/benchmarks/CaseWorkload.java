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
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.URI;

/**
 * Cases of a table test: each has an API of its own, with one object; a reconciliation that reads it, adds a finalizer,
 * creates a child that it owns and annotates it; and a check of the result. In every fifth case the creation fails, and
 * the case checks that the annotation is missing.
 */
final class CaseWorkload implements ControllerSuite.Workload {
    private static final String FINALIZER = "bench.evenkeel.dev/finalizer";
    private static final Kind<ConfigMap> KIND = Kind.of(ConfigMap.class);
    private static final ObjectKey PARENT = ObjectKey.of("default", "parent");
    private static final ObjectKey CHILD = ObjectKey.of("default", "child");

    private static final class Injected extends RuntimeException {
        Injected() {
            super("injected", null, false, false);
        }
    }

    @Override
    public void run(ReportSection section) throws Exception {
        int cases = section.quick() ? 2_000 : 10_000;
        double _ = ours(1_000);
        double _ = theirs(100);
        section.both("cases: table of 85", Unit.PER_SECOND, ours(85), theirs(85), MockServer.KIND.name());
        section.both(
                "cases: table of " + cases, Unit.PER_SECOND, ours(cases), theirs(cases / 40), MockServer.KIND.name());
        section.elsewhere("Go: 635/s with the fake client of controller-runtime, which checks and defaults nothing");
    }

    private static ConfigMap parent() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("parent")
                .endMetadata()
                .addToData("replicas", "3")
                .build();
    }

    private static ConfigMap child(ConfigMap parent) {
        ConfigMap child = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("child")
                .endMetadata()
                .addToData(parent.getData())
                .build();
        OwnerReferences.control(parent, child);
        return child;
    }

    private static double ours(int cases) {
        long began = System.nanoTime();
        for (int i = 0; i < cases; i++) {
            try (Engine engine = Engine.create()) {
                Client client = engine.client();
                client.create(parent());
                boolean fails = i % 5 == 0;
                try {
                    reconcile(client, fails);
                    check(!fails, "the injected failure comes out");
                } catch (Injected e) {
                    check(fails, "nothing else fails");
                }
                ConfigMap after = client.get(KIND, PARENT);
                check(Finalizers.has(after, FINALIZER), "the finalizer is set");
                check(client.find(KIND, CHILD).isPresent() != fails, "the child exists unless its creation failed");
                check(after.getMetadata().getAnnotations().containsKey("done") != fails, "so is the annotation");
            }
        }
        return cases / ((System.nanoTime() - began) / 1e9);
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
        client.patch(
                KIND, PARENT, Patch.merge("{\"metadata\":{\"annotations\":{\"done\":\"yes\"}}}"), WriteOptions.DEFAULT);
    }

    private static double theirs(int cases) {
        long began = System.nanoTime();
        for (int i = 0; i < cases; i++) {
            try (ServerUnderTest world = MockServer.KIND.start();
                    var client = new KubernetesClientBuilder()
                            .withConfig(SyncWorkload.config(URI.create("http://localhost:" + world.port())))
                            .build()) {
                var maps = client.configMaps().inNamespace("default");
                ConfigMap _ = maps.resource(parent()).create();
                boolean fails = i % 5 == 0;
                try {
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
                    ConfigMap _ = maps.withName("parent")
                            .patch(
                                    PatchContext.of(PatchType.JSON_MERGE),
                                    "{\"metadata\":{\"annotations\":{\"done\":\"yes\"}}}");
                    check(!fails, "the injected failure comes out");
                } catch (Injected e) {
                    check(fails, "nothing else fails");
                }
                ConfigMap after = maps.withName("parent").get();
                check(Finalizers.has(after, FINALIZER), "the finalizer is set");
                check((maps.withName("child").get() != null) != fails, "the child exists unless its creation failed");
            } catch (Exception e) {
                throw new IllegalStateException("case " + i + ": " + e.getMessage(), e);
            }
        }
        return cases / ((System.nanoTime() - began) / 1e9);
    }
}
