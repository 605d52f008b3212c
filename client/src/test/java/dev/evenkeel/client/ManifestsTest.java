package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManifestsTest {
    @Test
    void readsSeveralDocumentsAndSkipsEmptyOnes() {
        List<GenericKubernetesResource> objects = Manifests.parse("""
                # a comment
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                data: {k: "1"}
                ---
                ---
                {"apiVersion": "e.com/v1", "kind": "Thing", "metadata": {"name": "b"}}
                """);

        assertThat(objects).extracting(o -> o.getKind()).containsExactly("ConfigMap", "Thing");
        assertThat(ModelCodec.convert(objects.getFirst(), ConfigMap.class).getData())
                .isEqualTo(Map.of("k", "1"));
    }

    @Test
    void saysWhatIsWrongWithWhichDocument() {
        assertThatThrownBy(() -> Manifests.parse("apiVersion: v1\nkind: X\nmetadata: {}\n"))
                .hasMessage("document 1 of the manifest has no metadata.name");
        assertThatThrownBy(() -> Manifests.parse("---\n---\n[1]"))
                .hasMessage("document 2 of the manifest is no object");
        assertThatThrownBy(() -> Manifests.parse("kind: X\n"))
                .hasMessage("document 1 of the manifest has no apiVersion");
        assertThatThrownBy(() -> Manifests.parse("a: ["))
                .hasMessageStartingWith("document 1 of the manifest is no YAML");
    }
}
