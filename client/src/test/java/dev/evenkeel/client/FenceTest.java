package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FenceTest {
    @Test
    void theHeaderCarriesEveryHolder() {
        Fence fence = new Fence(ObjectKey.of("ns", "a.b"), "Öl; x=1, \"y\"", 7);

        assertThat(fence.header())
                .isEqualTo("ns/a.b; holder=%C3%96l%3B+x%3D1%2C+%22y%22; transitions=7")
                .isPrintable();
        assertThat(Fence.parse(fence.header())).isEqualTo(fence);
    }

    @ParameterizedTest
    @CsvSource({
        "'', is not of the form",
        "a/b; holder=x, is not of the form",
        "b; holder=x; transitions=1, lease:",
        "a/b/c; holder=x; transitions=1, lease:",
        "/b; holder=x; transitions=1, lease:",
        "a/b; holder=; transitions=1, holder:",
        "a/b; holder=%; transitions=1, holder:",
        "a/b; held=x; transitions=1, holder:",
        "a/b; holder=x; transitions=, transitions:",
        "a/b; holder=x; transitions=-1, transitions:",
        "a/b; holder=x; transitions=4294967295, transitions:",
        "a/b; holder=x; turns=1, transitions:",
    })
    void invalidFencesAreNamed(String header, String said) {
        assertThatThrownBy(() -> Fence.parse(header))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(said);
    }

    @Test
    void aFenceWithoutAHolderIsInvalid() {
        assertThatThrownBy(() -> new Fence(ObjectKey.of("ns", "a"), "", 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Fence(ObjectKey.cluster("a"), "x", 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Fence(ObjectKey.of("ns", "a"), "x", -1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
