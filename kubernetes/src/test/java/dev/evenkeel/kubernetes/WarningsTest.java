package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarningsTest {
    @Test
    void theTextIsWhatIsQuoted() {
        assertThat(Warnings.text("299 - \"unknown field \\\"spec.x\\\"\"")).isEqualTo("unknown field \"spec.x\"");
        assertThat(Warnings.text("299 - \"a\\\\b\"")).isEqualTo("a\\b");
        assertThat(Warnings.text("odd")).isEqualTo("odd");
        assertThat(Warnings.text("299 - \"")).isEqualTo("299 - \"");
    }
}
