package dev.evenkeel.examples;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.convergence.Convergence;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, a website comes to be as it is wanted. */
class WebsiteConvergenceTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "blog");

    private final Convergence<?> convergence = Convergence.of(WebsiteReconciler::controller)
            .types(definitions())
            .given(site())
            .schedules(250);

    private static List<CustomResourceDefinition> definitions() {
        try {
            return Manifests.parse(Files.readString(Path.of("website", "crd.yaml"))).stream()
                    .map(type -> ModelCodec.convert(type, CustomResourceDefinition.class))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Website site() {
        Website site = new Website();
        site.getMetadata().setNamespace(KEY.namespace());
        site.getMetadata().setName(KEY.name());
        site.setSpec(new WebsiteSpec("<h1>Hello</h1>", 2, "nginx:1.29"));
        return site;
    }

    @Test
    void converges() {
        convergence
                .edit(
                        "another page, and three replicas",
                        client -> client.patch(
                                Kind.of(Website.class),
                                KEY,
                                Patch.merge("{\"spec\":{\"replicas\":3,\"html\":\"<h1>Bye</h1>\"}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }

    @Test
    void leavesAloneWhatIsSomebodyElses() {
        convergence
                .foreign(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(KEY.namespace())
                        .withName(KEY.name())
                        .endMetadata()
                        .addToData("index.html", "<h1>Mine</h1>")
                        .build())
                .assertConverges();
    }
}
