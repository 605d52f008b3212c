package dev.evenkeel.server.internal.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CatalogTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.demo.example.com}
            spec:
              group: demo.example.com
              scope: Namespaced
              names: {plural: widgets, kind: Widget}
              versions:
              - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
              - {name: v1beta1, served: %s, storage: true, schema: {openAPIV3Schema: {type: object}}}
            """;

    private static Stream<String> hashes(boolean served) {
        try (Engine engine = Engine.builder().executor(Runnable::run).build()) {
            ResourceApi partition = ResourceApi.of(engine.partition("default"));
            partition.create(
                    partition
                            .resource("apiextensions.k8s.io", "v1", "customresourcedefinitions")
                            .orElseThrow(),
                    Body.yaml(DEFINITION.formatted(served)),
                    WriteOptions.of("test"));
            return Catalog.of(partition)
                    .versions()
                    .flatMap(version -> version.resources().stream())
                    .filter(resource -> resource.type().kind().equals("Widget"))
                    .map(resource -> resource.version().name() + " " + resource.storageHash())
                    .toList()
                    .stream();
        }
    }

    /** The beginning of the SHA-256 of {@code demo.example.com/v1beta1/Widget}. */
    @Test
    void theStorageVersionHasAHashWhileItIsServed() {
        assertThat(hashes(true)).containsExactly("v1 vPC7BBHyZro=", "v1beta1 vPC7BBHyZro=");
        assertThat(hashes(false)).containsExactly("v1 ");
    }
}
