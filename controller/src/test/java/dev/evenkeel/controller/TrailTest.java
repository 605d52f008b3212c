package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.Test;

class TrailTest {
    @Test
    void outsideOfAllPartsThereIsNone() {
        assertThat(Trail.here()).isEmpty();
        assertThat(Trail.text()).isEmpty();
    }

    @Test
    void namesNestAndEndWithTheirParts() {
        String text =
                Trail.within("Website", () -> Trail.within("0", Trail::text) + " " + Trail.within("1", Trail::text));
        assertThat(text).isEqualTo("Website/0 Website/1");
        assertThat(Trail.text()).isEmpty();
    }

    @Test
    void itEndsWhenAPartFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Trail.within("Website", () -> {
                    throw new IllegalStateException("no");
                }));
        assertThat(Trail.here()).isEmpty();
    }

    @Test
    void anotherThreadBeginsWithNoneAndMayContinue() throws InterruptedException {
        BlockingQueue<String> seen = new ArrayBlockingQueue<>(2);
        Optional<Trail> trail = Trail.within("Website", Trail::here);
        Thread.startVirtualThread(() -> {
                    seen.add(Trail.text());
                    seen.add(trail.orElseThrow().continued(Trail::text));
                })
                .join();
        assertThat(seen).containsExactly("", "Website");
    }
}
