package dev.evenkeel.examples;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.convergence.JvmComparison;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, a website comes to be as it is wanted. */
class WebsiteConvergenceTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "blog");

    private final Convergence<?> convergence = convergence();

    private static Convergence<?> convergence() {
        return Convergence.of(WebsiteReconciler::controller)
                .definitions(Path.of("website", "crd.yaml"))
                .given(Given.of(site()));
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
    void isTheSameInEachJvm() {
        JvmComparison.assertSame(WebsiteConvergenceTest::convergence);
    }

    @Test
    void leavesForeignObjectsAlone() {
        convergence
                .foreign(Given.of(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(KEY.namespace())
                        .withName(KEY.name())
                        .endMetadata()
                        .addToData("index.html", "<h1>Mine</h1>")
                        .build()))
                // it looks for the name each minute
                .patience(Duration.ofMinutes(2))
                .assertConverges();
    }
}
