package dev.evenkeel.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.Test;

class ReconcilerPathTest {
    @Test
    void outsideOfAllPartsThereIsNoPart() {
        assertThat(ReconcilerPath.here()).isEmpty();
        assertThat(ReconcilerPath.text()).isEmpty();
    }

    @Test
    void namesNestAndEndWithTheirParts() {
        String text = ReconcilerPath.within(
                "Website",
                () -> ReconcilerPath.within("0", ReconcilerPath::text) + " "
                        + ReconcilerPath.within("1", ReconcilerPath::text));
        assertThat(text).isEqualTo("Website/0 Website/1");
        assertThat(ReconcilerPath.text()).isEmpty();
    }

    @Test
    void itEndsWhenAPartFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ReconcilerPath.within("Website", () -> {
                    throw new IllegalStateException("no");
                }));
        assertThat(ReconcilerPath.here()).isEmpty();
    }

    @Test
    void anotherThreadBeginsWithNoneAndMayContinue() throws InterruptedException {
        BlockingQueue<String> seen = new ArrayBlockingQueue<>(2);
        Optional<ReconcilerPath> trail = ReconcilerPath.within("Website", ReconcilerPath::here);
        Thread.startVirtualThread(() -> {
                    seen.add(ReconcilerPath.text());
                    seen.add(trail.orElseThrow().continued(ReconcilerPath::text));
                })
                .join();
        assertThat(seen).containsExactly("", "Website");
    }
}
