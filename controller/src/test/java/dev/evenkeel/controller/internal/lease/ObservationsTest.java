package dev.evenkeel.controller.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObservationsTest {
    private static final long SECOND = 1_000_000_000L;

    private final Observations observations = new Observations(Duration.ofSeconds(15));

    private static LeaseSpec held(int transitions) {
        return new LeaseSpecBuilder()
                .withHolderIdentity("a")
                .withLeaseDurationSeconds(5)
                .withLeaseTransitions(transitions)
                .build();
    }

    @Test
    void aliveForTheDurationOfTheLeaseSinceItsObservedChange() {
        observations.observe("a", held(1), 0);
        observations.observe("a", held(1), 3 * SECOND);
        assertThat(observations.live("a", 5 * SECOND - 1)).isTrue();
        assertThat(observations.live("a", 5 * SECOND)).isFalse();
        observations.observe("a", held(2), 5 * SECOND);
        assertThat(observations.live("a", 9 * SECOND)).isTrue();
    }

    @Test
    void aDeletedLeaseMayStillBeBelievedIn() {
        observations.observe("a", held(1), 0);
        observations.observe("a", null, SECOND);
        assertThat(observations.live("a", 2 * SECOND)).isFalse();
        assertThat(observations.alive("a", 2 * SECOND)).isTrue();
        assertThat(observations.alive("a", 6 * SECOND)).isFalse();
    }

    @Test
    void oneThatWasNeverSeenIsBelievedInForTheUsualTime() {
        observations.observe("a", null, 0);
        assertThat(observations.alive("a", 14 * SECOND)).isTrue();
        assertThat(observations.alive("a", 15 * SECOND)).isFalse();
    }

    @Test
    void aReleasedLeaseIsFreeAtOnceAndLitter() {
        observations.observe(
                "a", new LeaseSpecBuilder(held(1)).withHolderIdentity("").build(), 0);
        assertThat(observations.alive("a", 0)).isFalse();
        assertThat(observations.litter("a", 0, 10)).isTrue();
    }

    @Test
    void aDeadOneIsLitterAfterManyLeases() {
        observations.observe("a", held(1), 0);
        assertThat(observations.litter("a", 49 * SECOND, 10)).isFalse();
        assertThat(observations.litter("a", 50 * SECOND, 10)).isTrue();
        observations.retain(Set.of());
        assertThat(observations.litter("a", 50 * SECOND, 10)).isFalse();
    }
}
