package dev.evenkeel.engine.internal.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Encoded;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentTest {
    private static StoredObject object(String name, String app, String owner) {
        byte[] bytes = """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"%s"},
                "ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"%s"}]}}
                """.strip().formatted(name, app, owner).getBytes(StandardCharsets.UTF_8);
        return StoredObject.decode(bytes, Encoded.Header.of(bytes), null);
    }

    @Test
    void equalValuesAreShared() {
        Recent<List<String>> recent = new Recent<>();
        List<String> first = recent.shared(List.of("a", "b"));
        assertThat(recent.shared(List.of("a", "b"))).isSameAs(first);
        assertThat(recent.shared(List.of("b", "a"))).containsExactly("b", "a");
    }

    @Test
    void everyValueIsAnsweredWithAnEqualOne() {
        Recent<Map<String, String>> recent = new Recent<>();
        // more than there are places
        IntStream.range(0, 20_000).forEach(i -> {
            Map<String, String> labels = Map.of("app", "app-" + i % 10_000);
            assertThat(recent.shared(labels)).isEqualTo(labels);
        });
    }

    @Test
    void objectsShareLabelsAndOwners() {
        StoredObject one = object("one", "web", "u-1");
        StoredObject two = object("two", "web", "u-1");
        assertThat(two.labels()).isSameAs(one.labels()).containsExactly(Map.entry("app", "web"));
        assertThat(two.ownerUids()).isSameAs(one.ownerUids()).containsExactly("u-1");
        StoredObject other = object("three", "db", "u-2");
        assertThat(other.labels()).containsExactly(Map.entry("app", "db"));
        assertThat(other.ownerUids()).containsExactly("u-2");
    }
}
