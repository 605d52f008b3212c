package dev.evenkeel.controller.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Fence;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.simulation.VirtualScheduler;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TermTest {
    /**
     * A renewal that is being noted while time runs out would else bring back a term that a worker has just found over, and
     * for which it has dropped its key: nobody would reconcile that.
     */
    @Test
    void aTermThatWasSeenToBeOverIsNotBroughtBack() {
        AtomicLong remaining = new AtomicLong(5);
        Fence fence = new Fence(ObjectKey.of("default", "leader"), "a", 1);
        Term term = new Term(fence, new VirtualScheduler(1), remaining::get);
        assertThat(term.holds()).isTrue();

        remaining.set(0);
        assertThat(term.isEnding()).isTrue();
        remaining.set(5);

        assertThat(term.holds()).isFalse();
        assertThat(term.isEnding()).isTrue();
        assertThat(term.remaining()).isZero();
    }
}
