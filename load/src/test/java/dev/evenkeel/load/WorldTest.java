package dev.evenkeel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorldTest {
    private static WorldState created(World world, long seed) {
        WorldState state = new WorldState(world);
        state.creation(new Random(seed)).forEach(state::apply);
        return state;
    }

    private static List<String> texts(WorldState state) {
        return state.objects().stream()
                .map(object -> new String(object.content().json(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void theWorldOfFelixHasFiftyHostsAndAThousandPods() {
        WorldState state = created(World.k8sfv(), 1);
        assertThat(state.size(Kinds.NODE)).isEqualTo(50);
        assertThat(state.size(Kinds.NAMESPACE)).isEqualTo(20);
        assertThat(state.size(Kinds.POD)).isEqualTo(1_000);
        LoadObject pod = state.oldest(Kinds.POD).orElseThrow();
        assertThat(pod.content().header().labels()).containsOnlyKeys("role", "instance", "ha");
        assertThat(pod.spec("nodeName").orElseThrow()).startsWith("host-");
    }

    @Test
    void equalSeedsMakeEqualObjects() {
        assertThat(texts(created(World.k8sfv(), 1))).isEqualTo(texts(created(World.k8sfv(), 1)));
        assertThat(texts(created(World.k8sfv(), 1))).isNotEqualTo(texts(created(World.k8sfv(), 2)));
    }

    @Test
    void valuesAreDrawnByTheirWeights() {
        Random random = new Random(4);
        assertThat(drawn(Distribution.weighted(Map.of("a", 3.0, "b", 1.0)), random)
                        .get("a"))
                .isBetween(7_200L, 7_800L);
        Map<String, Long> skewed = drawn(Distribution.skewed("v", 4, 1), random);
        // 1 of 1 + 1/2 + 1/3 + 1/4
        assertThat(skewed.get("v1")).isBetween(4_600L, 5_000L);
        assertThat(skewed.get("v4")).isBetween(1_050L, 1_350L);
        assertThat(drawn(Distribution.uniform(List.of("a", "b")), random).get("a"))
                .isBetween(4_700L, 5_300L);
    }

    private static Map<String, Long> drawn(Distribution distribution, Random random) {
        return random.ints(10_000)
                .mapToObj(unused -> distribution.draw(random))
                .collect(Collectors.groupingBy(value -> value, Collectors.counting()));
    }

    @Test
    void templatesReplacePlaceholders() {
        Template template = new Template(
                Kinds.CONFIG_MAP,
                2,
                "c-${index}",
                Map.of("data", Map.of("key", "${namespace} ${index}", "number", "${revision}")));
        assertThat(template.key("a", 7)).isEqualTo(ObjectKey.of("a", "c-7"));
        assertThat(template.content("a", 7, 3)).isEqualTo(Map.of("data", Map.of("key", "a 7", "number", 3L)));
    }

    @Test
    void aMultipleHasMoreNodesAndNamespacesOfTheSameContent() {
        Template inNamespaces = new Template(Kinds.CONFIG_MAP, 3, "c-${index}", Map.of());
        Template outside = new Template(Kinds.NODE, 2, "n-${index}", Map.of());
        World world = new World(2, 4, 5, new TreeMap<>(), new TreeMap<>(), List.of(), List.of(inNamespaces, outside));
        WorldState state = created(world.times(10), 1);
        assertThat(state.size(Kinds.NAMESPACE)).isEqualTo(40);
        assertThat(state.size(Kinds.POD)).isEqualTo(200);
        assertThat(state.size(Kinds.CONFIG_MAP)).isEqualTo(120);
        assertThat(state.size(Kinds.NODE)).isEqualTo(20 + 20);
        assertThatThrownBy(() -> world.times(0)).hasMessage("factor must be positive: 0");
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> World.EMPTY.size(0, 1, 1)).hasMessage("hosts must be positive if there are pods");
        assertThatThrownBy(() -> World.EMPTY.size(-1, 0, 0)).hasMessageStartingWith("hosts, namespaces");
        assertThatThrownBy(() -> Distribution.uniform(List.of())).hasMessage("values must not be empty");
        assertThatThrownBy(() -> Distribution.weighted(Map.of("a", 0.0)))
                .hasMessage("the weight of a must be positive: 0.0");
    }
}
