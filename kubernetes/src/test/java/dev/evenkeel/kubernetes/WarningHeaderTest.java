package dev.evenkeel.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarningHeaderTest {
    @Test
    void theTextIsTheQuotedPart() {
        assertThat(Transport.warning("299 - \"unknown field \\\"spec.x\\\"\"")).isEqualTo("unknown field \"spec.x\"");
        assertThat(Transport.warning("299 - \"a\\\\b\"")).isEqualTo("a\\b");
        assertThat(Transport.warning("odd")).isEqualTo("odd");
        assertThat(Transport.warning("299 - \"")).isEqualTo("299 - \"");
    }
}
