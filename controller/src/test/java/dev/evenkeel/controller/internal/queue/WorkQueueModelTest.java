package dev.evenkeel.controller.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.RateLimiter;
import dev.evenkeel.simulation.VirtualScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations against a model that does everything the slow and plain way: lists that are searched.
 *
 * <p>{@code -Dqueue.seed=N} begins with another seed.
 */
class WorkQueueModelTest {
    private static final long FIRST_SEED = Long.getLong("queue.seed", 1);
    private static final int SEEDS = Integer.getInteger("queue.seeds", 150);
    private static final int OPERATIONS = 400;
    private static final long STEP = 1_000_000;

    @ParameterizedTest
    @ValueSource(strings = {"ageing", "strict", "flows"})
    void behavesAsTheModel(String kind) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            try {
                new Run(kind, seed).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(kind + ", repeat with -Dqueue.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** The state of a key in the model. */
    private static final class Model {
        final String key;
        int failures;
        boolean inFlight;
        boolean again;
        boolean waits;
        int priority;
        int lane;
        long since;
        long placed;
        long number;
        Set<Cause> causes = new LinkedHashSet<>();
        boolean delayed;
        boolean retry;
        long due;
        long delayNumber;
        int delayPriority;
        Set<Cause> delayCauses = new LinkedHashSet<>();

        Model(String key) {
            this.key = key;
        }

        boolean idle() {
            return !waits && !inFlight && !delayed && failures == 0;
        }
    }

    private static final class Run {
        private final boolean aged;
        private final boolean flows;
        private final SplittableRandom random;
        private final VirtualScheduler time = new VirtualScheduler(1);
        private final WorkQueue<String> queue;
        private final Map<String, Model> keys = new HashMap<>();
        private final Map<Integer, List<String>> rounds = new HashMap<>();
        private final List<Item<String>> out = new ArrayList<>();
        private long numbers;
        private int ready;

        Run(String kind, long seed) {
            this.random = new SplittableRandom(seed);
            this.aged = !kind.equals("strict");
            this.flows = kind.equals("flows");
            QueueOptions<String> options = QueueOptions.<String>defaults()
                    .withLimiter(RateLimiter.exponential(Duration.ofNanos(STEP), Duration.ofNanos(16 * STEP)))
                    .withAgeing(Duration.ofNanos(STEP));
            options = aged ? options : options.withoutAgeing();
            this.queue = new WorkQueue<>(time, flows ? options.withFlow(Run::flow) : options);
            queue.onReady(() -> ready++);
        }

        private static Object flow(String key) {
            return Integer.parseInt(key.substring(1)) % 3;
        }

        private String flowOf(Model model) {
            return flows ? flow(model.key).toString() : "";
        }

        void run() {
            for (int i = 0; i < OPERATIONS; i++) {
                if (random.nextInt(4) == 0) {
                    time.skip(Duration.ofNanos(random.nextLong(3 * STEP)));
                }
                int readyBefore = ready;
                long waitingBefore = waiting().count();
                step();
                time.run();
                promote();
                check();
                if (waiting().count() > waitingBefore) {
                    assertThat(ready).as("somebody was told").isGreaterThan(readyBefore);
                }
            }
            finish();
        }

        private java.util.stream.Stream<Model> waiting() {
            return keys.values().stream().filter(model -> model.waits);
        }

        private void step() {
            String key = "k" + random.nextInt(12);
            int priority = random.nextInt(5) - 2;
            Cause cause = new Cause("c", random.nextInt(6));
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> {
                    queue.add(key, priority, cause);
                    promote();
                    model(key).causes.add(cause);
                    offer(model(key), priority, time.nanoTime());
                }
                case 3, 4 -> {
                    long delay = random.nextLong(6 * STEP) - STEP;
                    queue.addAfter(key, Duration.ofNanos(delay), priority, cause);
                    delay(key, delay, priority, cause, false);
                }
                case 5 -> {
                    long delay = STEP << Math.min(4, model(key).failures++);
                    assertThat(queue.addRateLimited(key, priority, cause)).isEqualTo(Duration.ofNanos(delay));
                    delay(key, delay, priority, cause, true);
                }
                case 6, 7, 8 -> poll();
                case 9 -> done();
                case 10 -> {
                    queue.forget(key);
                    model(key).failures = 0;
                    time.advance(Duration.ofNanos(random.nextLong(2 * STEP)));
                }
                default -> {
                    if (random.nextInt(4) == 0) {
                        discard(key);
                    } else {
                        done();
                    }
                }
            }
        }

        private Model model(String key) {
            return keys.computeIfAbsent(key, Model::new);
        }

        private void delay(String key, long delay, int priority, Cause cause, boolean retry) {
            promote();
            Model model = model(key);
            if (delay <= 0) {
                model.causes.add(cause);
                offer(model, priority, time.nanoTime());
                return;
            }
            long due = time.nanoTime() + delay;
            model.delayPriority = model.delayed ? Math.max(model.delayPriority, priority) : priority;
            if (!model.delayed || due < model.due) {
                model.due = due;
                model.delayNumber = numbers++;
                model.retry = retry;
            } else if (due == model.due) {
                model.retry &= retry;
            }
            model.delayed = true;
            model.delayCauses.add(cause);
        }

        private void promote() {
            keys.values().stream()
                    .filter(model -> model.delayed && model.due <= time.nanoTime())
                    .sorted(Comparator.<Model>comparingLong(model -> model.due)
                            .thenComparingLong(model -> model.delayNumber))
                    .toList()
                    .forEach(model -> {
                        model.delayed = false;
                        model.causes.addAll(model.delayCauses);
                        model.delayCauses.clear();
                        offer(model, model.delayPriority, model.due);
                    });
        }

        private void offer(Model model, int priority, long at) {
            if (model.waits) {
                if (priority > model.priority) {
                    model.priority = priority;
                    if (rank(priority, at) < rank(model.lane, model.placed)) {
                        leave(model);
                        place(model, at);
                    }
                }
            } else if (model.again) {
                model.priority = Math.max(model.priority, priority);
            } else {
                model.priority = priority;
                model.since = at;
                if (model.inFlight) {
                    model.again = true;
                } else {
                    place(model, at);
                }
            }
        }

        private void place(Model model, long at) {
            model.waits = true;
            model.lane = model.priority;
            model.placed = at;
            model.number = numbers++;
            List<String> round = rounds.computeIfAbsent(model.lane, lane -> new ArrayList<>());
            if (!round.contains(flowOf(model))) {
                round.add(flowOf(model));
            }
        }

        private void leave(Model model) {
            model.waits = false;
            if (first(model.lane, flowOf(model)).isEmpty()) {
                rounds.get(model.lane).remove(flowOf(model));
            }
        }

        private Optional<Model> first(int lane, String flow) {
            return waiting()
                    .filter(model -> model.lane == lane && flowOf(model).equals(flow))
                    .min(Comparator.comparingLong(model -> model.number));
        }

        private long rank(int priority, long placed) {
            return aged ? placed - priority * STEP : -priority;
        }

        private Optional<Model> first() {
            return rounds.entrySet().stream()
                    .filter(round -> !round.getValue().isEmpty())
                    .map(round ->
                            first(round.getKey(), round.getValue().getFirst()).orElseThrow())
                    .min(Comparator.<Model>comparingLong(model -> rank(model.lane, model.placed))
                            .thenComparingInt(model -> -model.lane));
        }

        private void poll() {
            Optional<Item<String>> polled = queue.poll();
            promote();
            Optional<Model> expected = first();
            assertThat(polled.map(Item::key)).isEqualTo(expected.map(model -> model.key));
            if (polled.isEmpty()) {
                return;
            }
            Item<String> item = polled.get();
            Model model = expected.orElseThrow();
            if (!flows && aged) {
                assertThat(waiting().filter(other -> other.lane < model.lane))
                        .as("overtaken for no longer than ageing allows")
                        .allSatisfy(other -> assertThat(model.placed - other.placed)
                                .isLessThanOrEqualTo(STEP * (model.lane - other.lane)));
            }
            if (model.delayed && model.retry) {
                model.delayed = false;
                model.causes.addAll(model.delayCauses);
                model.delayCauses.clear();
            }
            assertThat(item.priority()).isEqualTo(model.priority);
            assertThat(item.failures()).isEqualTo(model.failures);
            assertThat(item.waited()).isEqualTo(Duration.ofNanos(time.nanoTime() - model.since));
            assertThat(new HashSet<>(item.causes().list())).isEqualTo(model.causes);
            leave(model);
            List<String> round = rounds.get(model.lane);
            if (round.remove(flowOf(model))) {
                round.add(flowOf(model));
            }
            model.inFlight = true;
            model.causes = new LinkedHashSet<>();
            out.add(item);
        }

        private void done() {
            if (out.isEmpty()) {
                return;
            }
            Item<String> item = out.remove(random.nextInt(out.size()));
            queue.done(item);
            promote();
            Model model = model(item.key());
            model.inFlight = false;
            if (model.again) {
                model.again = false;
                place(model, time.nanoTime());
            }
        }

        private void discard(String key) {
            Model model = model(key);
            assertThat(queue.discard(key)).isEqualTo(model.waits || model.again || model.delayed);
            if (model.waits) {
                leave(model);
            }
            model.again = false;
            model.delayed = false;
            model.failures = 0;
            model.causes.clear();
            model.delayCauses.clear();
        }

        private void check() {
            keys.values().removeIf(Model::idle);
            assertThat(queue.size()).isEqualTo((int) waiting().count());
            assertThat(queue.inFlight()).isEqualTo(out.size());
            assertThat(queue.delayed()).isEqualTo((int)
                    keys.values().stream().filter(model -> model.delayed).count());
            assertThat(queue.kept()).isEqualTo(keys.size());
            assertThat(time.timers()).isLessThanOrEqualTo(1);
            long now = time.nanoTime();
            for (Model model : keys.values()) {
                KeyState state = queue.state(model.key).orElseThrow();
                assertThat(state.failures()).isEqualTo(model.failures);
                assertThat(state.inFlight().isPresent()).isEqualTo(model.inFlight);
                assertThat(state.delayed())
                        .isEqualTo(model.delayed ? Optional.of(Duration.ofNanos(model.due - now)) : Optional.empty());
                assertThat(state.waiting())
                        .isEqualTo(
                                model.waits || model.again
                                        ? Optional.of(Duration.ofNanos(now - model.since))
                                        : Optional.empty());
            }
        }

        /** Everything comes to an end, and nothing is left. */
        private void finish() {
            time.advance(Duration.ofSeconds(1));
            promote();
            while (!out.isEmpty() || waiting().findAny().isPresent()) {
                poll();
                done();
                promote();
            }
            keys.keySet().forEach(queue::forget);
            assertThat(queue.kept()).isZero();
            assertThat(time.timers()).isZero();
        }
    }
}
