package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarningHeaderTest {
    @Test
    void theTextIsTheQuotedPart() {
        assertThat(WarningHeader.text("299 - \"unknown field \\\"spec.x\\\"\"")).isEqualTo("unknown field \"spec.x\"");
        assertThat(WarningHeader.text("299 - \"a\\\\b\"")).isEqualTo("a\\b");
        assertThat(WarningHeader.text("odd")).isEqualTo("odd");
        assertThat(WarningHeader.text("299 - \"")).isEqualTo("299 - \"");
    }
}
