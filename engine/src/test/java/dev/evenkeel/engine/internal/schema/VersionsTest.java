package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.crd.Versions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VersionsTest {
    @Test
    void stableBeforeBetaBeforeAlphaThenNewestFirstThenOtherNames() {
        List<String> order = List.of(
                "v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10");
        List<String> shuffled = new ArrayList<>(order);
        Collections.shuffle(shuffled, new Random(7));
        shuffled.sort(Versions.BY_PREFERENCE);
        assertThat(shuffled).isEqualTo(order);
    }
}
