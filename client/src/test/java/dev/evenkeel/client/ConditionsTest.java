package dev.evenkeel.client;

import static dev.evenkeel.client.Conditions.condition;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00.9Z");
    private static final Instant LATE = Instant.parse("2026-01-01T01:00:00Z");

    @Test
    void theTransitionTimeMovesWithTheStatusOnly() {
        List<Condition> first = Conditions.with(List.of(), condition("Ready", false, 1, "Waiting", ""), EARLY);
        List<Condition> again = Conditions.with(first, condition("Ready", false, 2, "StillWaiting", "x"), LATE);
        List<Condition> ready = Conditions.with(again, condition("Ready", true, 2, "Done", ""), LATE);

        assertThat(first.getFirst().getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(again.getFirst().getLastTransitionTime()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(again.getFirst().getReason()).isEqualTo("StillWaiting");
        assertThat(ready.getFirst().getLastTransitionTime()).isEqualTo("2026-01-01T01:00:00Z");
        assertThat(Conditions.isTrue(ready, "Ready")).isTrue();
    }

    @Test
    void sayingTheSameAgainChangesNothing() {
        List<Condition> first = Conditions.with(List.of(), condition("Ready", true, 1, "Done", "all there"), EARLY);

        assertThat(Conditions.with(first, condition("Ready", true, 1, "Done", "all there"), LATE))
                .isEqualTo(first);
    }

    @Test
    void keepsTheOthersAndTheirOrder() {
        List<Condition> conditions = Conditions.with(List.of(), condition("A", true, 1, "R", ""), EARLY);
        conditions = Conditions.with(conditions, condition("B", true, 1, "R", ""), EARLY);
        conditions = Conditions.with(conditions, condition("A", false, 1, "R", ""), LATE);

        assertThat(conditions).extracting(Condition::getType).containsExactly("A", "B");
    }
}
