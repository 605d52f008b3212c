package dev.evenkeel.load.internal.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeTableTest {
    private final NodeTable table = new NodeTable();

    private boolean put(String name, boolean schedulable, Map<String, String> labels) {
        return table.put(name, new NodeTable.Properties(labels, schedulable, "1.1.1.1"));
    }

    @Test
    void theNodeWithTheFewestPodsIsChosen() {
        assertThat(table.choose(Map.of())).isEmpty();
        assertThat(put("b", true, Map.of())).isTrue();
        assertThat(put("a", true, Map.of())).isTrue();
        assertThat(table.choose(Map.of())).contains("a");
        table.count("a", 1);
        assertThat(table.choose(Map.of())).contains("b");
        table.count("b", 2);
        assertThat(table.choose(Map.of())).contains("a");
    }

    @Test
    void onlyNodesThatFitAreChosen() {
        put("a", true, Map.of("zone", "1"));
        put("b", true, Map.of("zone", "2", "disk", "fast"));
        assertThat(table.choose(Map.of("zone", "2"))).contains("b");
        assertThat(table.choose(Map.of("zone", "1", "disk", "fast"))).isEmpty();
        assertThat(put("b", false, Map.of("zone", "2"))).isFalse();
        assertThat(table.choose(Map.of("zone", "2"))).isEmpty();
        assertThat(put("b", true, Map.of("zone", "2"))).isTrue();
        assertThat(put("b", true, Map.of("zone", "2"))).isFalse();
        assertThat(table.choose(Map.of("zone", "2"))).contains("b");
    }

    @Test
    void podsOfANodeThatIsGoneStayCounted() {
        table.count("a", 2);
        assertThat(table.choose(Map.of())).isEmpty();
        put("a", true, Map.of());
        put("b", true, Map.of());
        table.count("b", 1);
        table.remove("a");
        assertThat(table.choose(Map.of())).contains("b");
        assertThat(table.address("a")).isEmpty();
        put("a", true, Map.of());
        assertThat(table.choose(Map.of())).contains("b");
        assertThat(table.address("a")).isEqualTo("1.1.1.1");
        table.count("a", -2);
        assertThat(table.choose(Map.of())).contains("a");
    }
}
