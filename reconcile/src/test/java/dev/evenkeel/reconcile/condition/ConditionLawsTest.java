package dev.evenkeel.reconcile.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Conditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Whatever is marked, in whatever order: the happy condition is what its dependents make it, and times follow statuses. */
class ConditionLawsTest {
    private static final List<String> TYPES = List.of("A", "B", "C", "D", "Aside");

    @TestFactory
    Stream<DynamicTest> laws() {
        long first = Long.getLong("seed", System.nanoTime());
        return LongStream.range(first, first + 50)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
    }

    private static void run(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<String> dependents = new ArrayList<>(TYPES.subList(0, 1 + random.nextInt(4)));
        Collections.shuffle(dependents, java.util.Random.from(random));
        ConditionSet set = ConditionSet.living(dependents.toArray(String[]::new));
        Site site = new Site();
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        long generation = 1;
        for (int i = 0; i < 200; i++) {
            now = now.plusMillis(random.nextInt(5000));
            generation += random.nextInt(4) == 0 ? 1 : 0;
            site.getMetadata().setGeneration(generation);
            ConditionManager manager =
                    ConditionManager.of(set, site, StatusAccess.require(site), Clock.fixed(now, ZoneOffset.UTC));
            List<Condition> before = manager.conditions();
            String type = TYPES.get(random.nextInt(TYPES.size()));
            String reason = "Reason" + random.nextInt(2);
            String message = "message %" + random.nextInt(2);
            String status = switch (random.nextInt(7)) {
                case 0 -> {
                    manager.initialize();
                    yield "";
                }
                case 1, 2 -> {
                    manager.markFalse(type, reason, message);
                    yield "False";
                }
                case 3 -> {
                    manager.markUnknown(type, reason, message);
                    yield "Unknown";
                }
                default -> {
                    manager.markTrue(type, reason, message);
                    yield "True";
                }
            };
            List<Condition> after = manager.conditions();
            String step = "seed " + seed + ", step " + i + ": " + type + " " + status + " " + before + " -> " + after;
            if (!status.isEmpty()) {
                assertThat(said(Conditions.find(after, type)))
                        .as(step)
                        .isEqualTo(status + reason + message + generation);
            }
            assertThat(said(Conditions.find(after, "Ready"))).as(step).isEqualTo(expected(dependents, after));
            assertThat(after)
                    .as(step)
                    .isSortedAccordingTo((one, other) -> one.getType().compareTo(other.getType()));
            assertThat(after).as(step).extracting(Condition::getType).doesNotHaveDuplicates();
            for (Condition condition : after) {
                Optional<Condition> old = Conditions.find(before, condition.getType());
                boolean same = old.filter(one -> one.getStatus().equals(condition.getStatus()))
                        .isPresent();
                assertThat(condition.getLastTransitionTime())
                        .as(step)
                        .isEqualTo(
                                same
                                        ? old.get().getLastTransitionTime()
                                        : now.truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                                                .toString());
            }
        }
    }

    private static String said(Optional<Condition> condition) {
        return condition
                .map(one -> one.getStatus() + one.getReason() + one.getMessage() + one.getObservedGeneration())
                .orElse("nothing");
    }

    /** A second implementation of the law: by the worst status, and then by the order declared. */
    private static String expected(List<String> dependents, List<Condition> conditions) {
        String first = "";
        int worst = 0;
        long oldest = Long.MAX_VALUE;
        boolean all = true;
        for (String dependent : dependents) {
            Optional<Condition> condition = Conditions.find(conditions, dependent);
            String status = condition.map(Condition::getStatus).orElse("Unknown");
            int badness = status.equals("False") ? 2 : status.equals("Unknown") ? 1 : 0;
            if (badness > worst) {
                worst = badness;
                first = condition.isPresent() ? said(condition) : "UnknownInitializingnull";
            }
            all &= condition.isPresent();
            oldest = Math.min(
                    oldest, condition.map(Condition::getObservedGeneration).orElse(Long.MAX_VALUE));
        }
        if (worst > 0) {
            return first;
        }
        return all ? "TrueReady" + oldest : "nothing";
    }
}
