package dev.evenkeel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example on a real engine, with the files that the demo uses. */
@Timeout(300)
class WebsiteReconcilerTest {
    private static final List<Class<? extends HasMetadata>> OWNED =
            List.of(ConfigMap.class, Deployment.class, Service.class);

    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final Manager manager = Manager.of(client);

    @BeforeEach
    void start() throws IOException {
        for (GenericKubernetesResource type : manifest("crd.yaml")) {
            client.create(ModelCodec.convert(type, CustomResourceDefinition.class));
        }
        manager.add(WebsiteReconciler.controller()).start();
    }

    @AfterEach
    void stop() {
        manager.close();
        engine.close();
    }

    private static List<GenericKubernetesResource> manifest(String name) throws IOException {
        return Manifests.parse(Files.readString(Path.of("website", name)));
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("default", name);
    }

    private Website create(String name, String html, int replicas) {
        Website site = new Website();
        site.getMetadata().setNamespace("default");
        site.getMetadata().setName(name);
        site.setSpec(new WebsiteSpec(html, replicas, "nginx:1.29"));
        return client.create(site);
    }

    /** Waits until the object is like this. */
    private <T extends HasMetadata> T await(Class<T> type, String name, Predicate<T> wanted)
            throws InterruptedException {
        try (Watch<T> watch = client.watch(type, ListOptions.in("default"))) {
            while (true) {
                Watch.Event<T> event = watch.next().orElseThrow();
                boolean present = event.type() == Watch.Type.ADDED || event.type() == Watch.Type.MODIFIED;
                if (present && name.equals(event.object().getMetadata().getName()) && wanted.test(event.object())) {
                    return event.object();
                }
            }
        }
    }

    /** Waits until the object is gone. */
    private <T extends HasMetadata> void awaitGone(Class<T> type, String name) throws InterruptedException {
        String version = client.list(type, ListOptions.in("default")).resourceVersion();
        try (Watch<T> watch = client.watch(type, ListOptions.in("default").resourceVersion(version))) {
            while (client.find(type, key(name)).isPresent()) {
                watch.next().orElseThrow();
            }
        }
    }

    private static boolean ready(Website site) {
        return site.getStatus() != null
                && site.getStatus().observedGeneration() == site.getMetadata().getGeneration()
                && Conditions.isTrue(site.getStatus().conditions(), WebsiteStatus.READY);
    }

    @Test
    void samplesConverge() throws Exception {
        List<GenericKubernetesResource> samples = manifest("websites.yaml");
        for (GenericKubernetesResource sample : samples) {
            client.apply(
                    Kind.generic("examples.evenkeel.dev", "v1", "Website", "websites", true),
                    sample,
                    WriteOptions.DEFAULT);
        }

        for (GenericKubernetesResource sample : samples) {
            String name = sample.getMetadata().getName();
            Website site = await(Website.class, name, WebsiteReconcilerTest::ready);
            for (Class<? extends HasMetadata> owned : OWNED) {
                assertThat(OwnerReferences.isControlledBy(client.get(owned, key(name)), site))
                        .as("%s %s", owned.getSimpleName(), name)
                        .isTrue();
            }
        }
        assertThat(client.get(Website.class, key("docs")).getSpec().replicas()).isEqualTo(1);
    }

    @Test
    void childrenSayWhatTheWebsiteWants() throws Exception {
        create("blog", "<h1>Hello</h1>", 2);
        await(Website.class, "blog", WebsiteReconcilerTest::ready);

        assertThat(client.get(ConfigMap.class, key("blog")).getData()).containsEntry("index.html", "<h1>Hello</h1>");
        assertThat(client.get(Deployment.class, key("blog")).getSpec().getReplicas())
                .isEqualTo(2);
        assertThat(client.get(Service.class, key("blog")).getSpec().getSelector())
                .isEqualTo(client.get(Deployment.class, key("blog"))
                        .getSpec()
                        .getSelector()
                        .getMatchLabels());
    }

    @Test
    void changesAreFollowed() throws Exception {
        create("blog", "<h1>Hello</h1>", 2);
        await(Website.class, "blog", WebsiteReconcilerTest::ready);

        client.patch(
                Kind.of(Website.class), key("blog"), Patch.merge("{\"spec\":{\"replicas\":5}}"), WriteOptions.DEFAULT);

        await(Deployment.class, "blog", deployment -> deployment.getSpec().getReplicas() == 5);
        Website site = await(Website.class, "blog", s -> ready(s) && s.getSpec().replicas() == 5);
        assertThat(site.getStatus().replicas()).isEqualTo(5);
        assertThat(site.getStatus().conditions()).hasSize(1);
    }

    @Test
    void manualChangesAreRevertedAndAdditionsStay() throws Exception {
        create("blog", "<h1>Hello</h1>", 2);
        await(Website.class, "blog", WebsiteReconcilerTest::ready);

        Deployment deployment = client.get(Deployment.class, key("blog"));
        deployment.getSpec().setReplicas(9);
        deployment.getMetadata().getAnnotations().put("example.com/note", "mine");
        client.update(deployment);

        Deployment repaired = await(Deployment.class, "blog", d -> d.getSpec().getReplicas() == 2);
        assertThat(repaired.getMetadata().getAnnotations()).containsEntry("example.com/note", "mine");
    }

    @Test
    void manuallyDeletedObjectsAreRecreated() throws Exception {
        create("blog", "<h1>Hello</h1>", 2);
        await(Website.class, "blog", WebsiteReconcilerTest::ready);
        String uid = client.get(Service.class, key("blog")).getMetadata().getUid();

        client.delete(Service.class, key("blog"));

        await(
                Service.class,
                "blog",
                service -> !uid.equals(service.getMetadata().getUid()));
    }

    @Test
    void aDeletedWebsiteTakesItsChildrenWithIt() throws Exception {
        create("blog", "<h1>Hello</h1>", 2);
        await(Website.class, "blog", WebsiteReconcilerTest::ready);

        client.delete(Website.class, key("blog"));

        for (Class<? extends HasMetadata> owned : OWNED) {
            awaitGone(owned, "blog");
        }
    }

    @Test
    void refusalsOfTheApiAreReportedInTheStatus() throws Exception {
        create("blog.example", "<h1>Hello</h1>", 1);

        // a Service's name has no dots
        Website site = await(
                Website.class,
                "blog.example",
                s -> s.getStatus() != null && !s.getStatus().conditions().isEmpty());

        assertThat(site.getStatus().conditions()).singleElement().satisfies(ready -> {
            assertThat(ready.getStatus()).isEqualTo("False");
            assertThat(ready.getReason()).isEqualTo("Invalid");
            assertThat(ready.getMessage()).contains("metadata.name");
        });
    }
}
