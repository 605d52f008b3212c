package dev.evenkeel.check.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettleLimitTest {
    private final SettleLimit limit = new SettleLimit(Duration.ofSeconds(60));

    private boolean isExceeded(int elapsed, int worked, boolean requests) {
        return limit.isExceeded(
                Duration.ofSeconds(elapsed).toNanos(),
                Duration.ofSeconds(worked).toNanos(),
                requests);
    }

    @Test
    void requestsAfterTheTimeExceedIt() {
        assertThat(isExceeded(59, 50, true)).isFalse();
        assertThat(isExceeded(61, 1, true)).isTrue();
    }

    /** As when another program keeps the processors busy while a JVM starts. */
    @Test
    void aProcessThatGotLittleOfTheProcessorHasMoreTime() {
        assertThat(isExceeded(61, 10, false)).isFalse();
        assertThat(isExceeded(299, 29, false)).isFalse();
    }

    @Test
    void aProcessThatIsBusyWithoutRequestsExceedsIt() {
        assertThat(isExceeded(61, 31, false)).isTrue();
        assertThat(isExceeded(301, 5, false)).isTrue();
    }
}
