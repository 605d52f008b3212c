package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReopenedWatchesTest {
    private final ReopenedWatches watches = new ReopenedWatches();
    private final AtomicLong open = new AtomicLong();
    private final AtomicBoolean quiet = new AtomicBoolean(true);

    private boolean areOpen() {
        return watches.areOpen(kind -> open.get(), quiet::get);
    }

    @Test
    void nothingIsExpectedBeforeACut() {
        quiet.set(false);
        assertThat(areOpen()).isTrue();
    }

    @Test
    void allAreAwaited() {
        watches.cut("watch configmaps", 2);
        assertThat(areOpen()).isFalse();
        open.set(1);
        assertThat(areOpen()).isFalse();
        assertThat(watches.missing()).containsExactly("watch configmaps");
        open.set(2);
        assertThat(areOpen()).isTrue();
    }

    /** The operator was at rest, then the watch began: it is answered that it must start again, and ends. */
    @Test
    void aWatchThatBeginsAfterTheRestIsNotCounted() {
        watches.cut("watch configmaps", 1);
        open.set(1);
        quiet.set(false);
        assertThat(areOpen()).isFalse();
        open.set(0);
        quiet.set(true);
        assertThat(areOpen()).isFalse();
        open.set(1);
        assertThat(areOpen()).isTrue();
    }

    @Test
    void aSecondCutBeforeAllAreOpenExpectsAsMany() {
        watches.cut("watch configmaps", 2);
        open.set(1);
        watches.cut("watch configmaps", 1);
        assertThat(areOpen()).isFalse();
        open.set(2);
        assertThat(areOpen()).isTrue();
    }
}
