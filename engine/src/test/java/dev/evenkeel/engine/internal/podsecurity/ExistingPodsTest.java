package dev.evenkeel.engine.internal.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExistingPodsTest {
    private static final Standard BASELINE = new Standard(Level.BASELINE, Standard.LATEST);

    private static JsonObject pod(String name, String controller, String field) {
        JsonObject metadata = JsonObject.of("name", name);
        if (!controller.isEmpty()) {
            metadata.put("ownerReferences", List.of(JsonObject.of("uid", controller, "controller", true)));
        }
        return JsonObject.of("metadata", metadata, "spec", JsonObject.of(field, true));
    }

    @Test
    void podsThatObeyAreNotNamed() {
        assertThat(ExistingPods.warnings("n", BASELINE, List.of(pod("p", "", "hostUsers"))))
                .isEmpty();
    }

    @Test
    void podsWithTheSameViolationsAreNamedOnce() {
        assertThat(ExistingPods.warnings("n", BASELINE, List.of(pod("q", "", "hostPID"), pod("p", "", "hostIPC"))))
                .containsExactly(
                        "existing pods in namespace \"n\" violate the new PodSecurity enforce level \"baseline:latest\"",
                        "p (and 1 other pod): host namespaces");
    }

    @Test
    void ofVeryManyPodsThoseOfDifferentControllersAreChecked() {
        List<JsonObject> pods = Stream.concat(
                        IntStream.range(0, 3000).mapToObj(i -> pod("a" + i, "one", "hostUsers")),
                        Stream.of(pod("z", "two", "hostPID")))
                .toList();
        assertThat(ExistingPods.warnings("n", BASELINE, pods))
                .containsExactly(
                        "new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods",
                        "existing pods in namespace \"n\" violate the new PodSecurity enforce level \"baseline:latest\"",
                        "z: host namespaces");
    }
}
