package dev.evenkeel.controller.internal.queue;

import static dev.evenkeel.controller.internal.queue.WorkQueueTest.ms;
import static dev.evenkeel.controller.internal.queue.WorkQueueTest.s;
import static dev.evenkeel.controller.internal.queue.WorkQueueTest.taken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.simulation.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Priorities, ageing and flows. */
class WorkQueuePriorityTest {
    private static final Cause CAUSE = new Cause("test", "");

    private final VirtualScheduler time = new VirtualScheduler(1);
    private final WorkQueue<String> queue = WorkQueue.of(time);
    private final WorkQueue<String> strict =
            new WorkQueue<>(time, QueueOptions.<String>defaults().withoutAgeing());
    private final WorkQueue<String> fair =
            new WorkQueue<>(time, QueueOptions.<String>defaults().withFlow(key -> key.substring(0, 1)));

    @Test
    void higherPrioritiesComeFirstAndThoseOfOneInTheirOrder() {
        queue.add("a");
        queue.add("low", Priority.LOW, CAUSE);
        queue.add("high1", Priority.HIGH, CAUSE);
        queue.add("b");
        queue.add("high2", Priority.HIGH, CAUSE);

        assertThat(taken(queue)).containsExactly("high1", "high2", "a", "b", "low");
    }

    @Test
    void anAddWithAHigherPriorityRaises() {
        queue.add("a");
        queue.add("b");
        queue.add("b", 5, CAUSE);

        assertThat(queue.size()).isEqualTo(2);
        assertThat(taken(queue)).containsExactly("b", "a");
    }

    @Test
    void anAddWithALowerPriorityChangesNothing() {
        queue.add("a", 5, CAUSE);
        queue.add("b", 4, CAUSE);
        queue.add("a", 3, CAUSE);

        assertThat(queue.poll().orElseThrow().priority()).isEqualTo(5);
    }

    @Test
    void aRaisedKeyIsAddedBehindKeysOfThatPriority() {
        for (WorkQueue<String> each : List.of(queue, strict)) {
            each.add("raised");
            each.add("first", 1, CAUSE);
            each.add("second", 1, CAUSE);
            each.add("raised", 1, CAUSE);
            each.add("third", 1, CAUSE);

            assertThat(taken(each)).containsExactly("first", "second", "raised", "third");
        }
    }

    @Test
    void aKeyThatHasAgedIsNotSetBackByARaise() {
        queue.add("old");
        time.advance(s(1));
        queue.add("young", 5, CAUSE);
        queue.add("old", 5, CAUSE);

        Item<String> item = queue.poll().orElseThrow();
        assertThat(item.key()).isEqualTo("old");
        assertThat(item.priority()).isEqualTo(5);
        assertThat(item.waited()).isEqualTo(s(1));
    }

    @Test
    void aDelayedKeyDoesNotOvertakeUntilItIsDueAndThenCountsFromThatMoment() {
        queue.addAfter("delayed", ms(10), 5, CAUSE);
        queue.add("normal");
        assertThat(taken(queue)).containsExactly("normal");

        time.advance(ms(5));
        queue.add("earlier", 5, CAUSE);
        queue.add("low");
        time.skip(ms(10));
        queue.add("later", 5, CAUSE);
        Item<String> first = queue.poll().orElseThrow();
        assertThat(first.key()).isEqualTo("earlier");
        Item<String> second = queue.poll().orElseThrow();
        assertThat(second.key()).isEqualTo("delayed");
        assertThat(second.waited()).isEqualTo(ms(5));
        assertThat(taken(queue)).containsExactly("later", "low");
    }

    @Test
    void ofTwoDelaysTheHigherPriorityCounts() {
        queue.addAfter("a", ms(10), 5, CAUSE);
        queue.addAfter("a", ms(5), 1, CAUSE);
        time.advance(ms(5));

        assertThat(queue.poll().orElseThrow().priority()).isEqualTo(5);
    }

    @Test
    void aKeyInFlightThatIsAddedWithAHighPriorityIsNotHandedOut() {
        queue.add("a");
        queue.add("b");
        Item<String> a = queue.poll().orElseThrow();
        queue.add("a", Priority.HIGH, CAUSE);
        queue.add("a", 1, CAUSE);
        assertThat(queue.poll().orElseThrow().key()).isEqualTo("b");
        queue.add("c");
        queue.done(a);

        Item<String> again = queue.poll().orElseThrow();
        assertThat(again.key()).isEqualTo("a");
        assertThat(again.priority()).isEqualTo(Priority.HIGH);
    }

    /** In controller-runtime's priority queue a key of priority -100 was still waiting after 200,000 others. */
    @Test
    void aLowKeyIsNotStarvedByAnEndlessStreamOfHigherOnes() {
        queue.add("low", Priority.LOW, CAUSE);
        strict.add("low", Priority.LOW, CAUSE);
        queue.add("backlog");
        strict.add("backlog");
        int before = 0;
        boolean came = false;
        while (!came && before < 20_000) {
            queue.add("normal" + before);
            strict.add("normal" + before);
            time.advance(ms(1));
            came = first(queue, 1).contains("low");
            assertThat(first(strict, 1)).doesNotContain("low");
            before++;
        }

        assertThat(came).isTrue();
        assertThat(before).as("100 steps of 100 ms, one key a millisecond").isBetween(10_000, 10_005);
    }

    private static List<String> first(WorkQueue<String> queue, int count) {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Item<String> item = queue.poll().orElseThrow();
            taken.add(item.key());
            queue.done(item);
        }
        return taken;
    }

    @Test
    void aKeyIsOvertakenOnlyWithinTheAgeingOfTheStepsBetween() {
        queue.add("one", 1, CAUSE);
        time.advance(ms(299));
        queue.add("four in time", 4, CAUSE);
        time.advance(ms(2));
        queue.add("four too late", 4, CAUSE);

        assertThat(taken(queue)).containsExactly("four in time", "one", "four too late");
    }

    @Test
    void withoutAgeingAHigherPriorityAlwaysComesFirst() {
        strict.add("low", Integer.MIN_VALUE, CAUSE);
        time.advance(Duration.ofDays(365));
        strict.add("high", Integer.MAX_VALUE, CAUSE);
        strict.add("normal");

        assertThat(taken(strict)).containsExactly("high", "normal", "low");
    }

    @Test
    void extremePrioritiesAndSlowAgeingDoNotOverflow() {
        WorkQueue<String> slow =
                new WorkQueue<>(time, QueueOptions.<String>defaults().withAgeing(Duration.ofDays(100_000)));
        slow.add("lowest", Integer.MIN_VALUE, CAUSE);
        slow.add("lower", Integer.MIN_VALUE + 1, CAUSE);
        time.advance(Duration.ofDays(365));
        slow.add("highest", Integer.MAX_VALUE, CAUSE);
        slow.add("normal");

        assertThat(taken(slow).subList(0, 2)).containsExactly("highest", "normal");
    }

    @Test
    void manyPrioritiesComeInOrderAndLeaveNothing() {
        List<Integer> priorities = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int priority = (i * 7_919) % 1_000 - 500;
            priorities.add(priority);
            queue.add("key" + priority, priority, CAUSE);
        }
        priorities.sort(Collections.reverseOrder());

        assertThat(taken(queue))
                .isEqualTo(priorities.stream().map(priority -> "key" + priority).toList());
        assertThat(queue.size()).isZero();
        assertThat(queue.kept()).isZero();
    }

    @Test
    void flowsOfOnePriorityTakeTurns() {
        for (int i = 0; i < 4; i++) {
            fair.add("a" + i);
        }
        fair.add("b0");
        fair.add("b1");
        fair.add("c0");

        assertThat(taken(fair)).containsExactly("a0", "b0", "c0", "a1", "b1", "a2", "a3");
    }

    @Test
    void aNoisyFlowDoesNotDelayOthers() {
        for (int i = 0; i < 10_000; i++) {
            fair.add("noisy" + i);
        }
        assertThat(first(fair, 3)).containsExactly("noisy0", "noisy1", "noisy2");
        fair.add("quiet");

        assertThat(first(fair, 2)).containsExactly("noisy3", "quiet");
    }

    @Test
    void prioritiesGoBeforeFlows() {
        fair.add("a0");
        fair.add("b0");
        fair.add("a1", 1, CAUSE);
        fair.add("a2", 1, CAUSE);
        fair.add("b0", 1, CAUSE);

        assertThat(taken(fair)).containsExactly("a1", "b0", "a2", "a0");
    }

    @Test
    void ageingMustBePositiveAndCausesNotNegative() {
        QueueOptions<String> options = QueueOptions.defaults();
        assertThatThrownBy(() -> options.withAgeing(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ageing")
                .hasMessageContaining("withoutAgeing");
        assertThatThrownBy(() -> options.withMaxCauses(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxCauses");
    }
}
