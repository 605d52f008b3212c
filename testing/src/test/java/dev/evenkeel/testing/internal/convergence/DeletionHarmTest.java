package dev.evenkeel.testing.internal.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DeletionHarmTest {
    private static ClusterState state(String... names) {
        Map<String, Map<String, String>> objects = new TreeMap<>();
        for (String name : names) {
            int is = name.indexOf('=');
            objects.put(name.substring(0, is), Map.of("data.crop", name.substring(is + 1)));
        }
        return new ClusterState(objects);
    }

    @Test
    void whatIsLostOrChangedWithAnotherObjectIsHarmed() {
        assertThat(DeletionHarm.of(
                        state("a=1", "a-child=1", "b-child=2", "c-child=3"),
                        state("c-child=4"),
                        state("b-child=2", "c-child=3")))
                .containsExactly(
                        "b-child is missing", "c-child differs:", "    data.crop is 4; without that object it is 3");
    }

    @Test
    void whatIsAsBeforeOrAsIfTheObjectHadNeverExistedIsNot() {
        assertThat(DeletionHarm.of(
                        state("a=1", "count=2", "first=a", "b-child=2"),
                        state("count=1", "first=a", "b-child=2", "left=1"),
                        state("count=1", "first=b", "b-child=2")))
                .isEmpty();
    }
}
