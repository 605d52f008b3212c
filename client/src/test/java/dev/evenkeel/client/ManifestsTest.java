package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
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
    void reportsProblemAndDocument() {
        assertThatThrownBy(() -> Manifests.parse("apiVersion: v1\nkind: X\nmetadata: {}\n"))
                .hasMessage("document 1 of the manifest has no metadata.name");
        assertThatThrownBy(() -> Manifests.parse("---\n---\n[1]"))
                .hasMessage("document 2 of the manifest is not an object");
        assertThatThrownBy(() -> Manifests.parse("kind: X\n"))
                .hasMessage("document 1 of the manifest has no apiVersion");
        assertThatThrownBy(() -> Manifests.parse("a: ["))
                .hasMessageStartingWith("document 1 of the manifest is not YAML");
    }

    @Test
    void writesWhatItReads() {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .withLabels(Map.of("a/b", "2"))
                .endMetadata()
                .addToData("plain", "two words")
                .addToData("empty", "")
                .addToData("star", "*")
                .addToData("colon", "a: b")
                .addToData("yes", "yes")
                .addToData("number", "010")
                .addToData("lines", "a\n b\n\nc\n")
                .addToData("trailing", "a ")
                .addToData("strange", "\u0000\u0085\u2028\n\ud83d\ude00")
                .build();

        String text = Manifests.text(List.of(map, map));

        assertThat(text).startsWith("""
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  labels:
                    a/b: "2"
                  name: a
                data:
                  plain: two words
                  empty: ""
                  star: "*"
                  colon: "a: b"
                  "yes": "yes"
                  number: "010"
                  lines: |
                    a
                     b

                    c
                """);
        assertThat(Manifests.parse(text))
                .map(object -> ModelCodec.convert(object, ConfigMap.class))
                .containsExactly(map, map);
    }
}
