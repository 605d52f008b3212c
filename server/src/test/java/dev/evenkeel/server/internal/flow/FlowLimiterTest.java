package dev.evenkeel.server.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.FlowConfiguration;
import dev.evenkeel.engine.internal.access.FlowConfiguration.Flow;
import dev.evenkeel.engine.internal.access.FlowConfiguration.Level;
import dev.evenkeel.engine.internal.access.FlowConfiguration.Schema;
import dev.evenkeel.server.internal.flow.FlowLimiter.Seat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Two levels, a and b, that share a limit. */
class FlowLimiterTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private static Level level(String name, long lendable, long borrowing, long queues, long length) {
        return new Level(name, name, false, 10, lendable, borrowing, queues, 1, length);
    }

    /** A level without queues. */
    private static Level plain(String name, long lendable, long borrowing) {
        return level(name, lendable, borrowing, 0, 0);
    }

    private static FlowConfiguration of(Level... levels) {
        return new FlowConfiguration(
                List.of(), Stream.of(levels).collect(Collectors.toMap(Level::name, level -> level)));
    }

    private static Flow flow(Level level, String distinguisher) {
        return new Flow(new Schema("schema", "", 1, level, "ByUser", List.of()), distinguisher);
    }

    private final List<Seat> seats = new ArrayList<>();

    /** Enters as often as it is allowed at once, and returns how often that was. */
    private int fill(FlowLimiter limiter, FlowConfiguration configuration, Level level) {
        int count = 0;
        Optional<Seat> seat = limiter.enter("p", configuration, flow(level, User.ADMIN.name()));
        while (seat.isPresent()) {
            seats.add(seat.get());
            count++;
            seat = limiter.enter("p", configuration, flow(level, User.ADMIN.name()));
        }
        return count;
    }

    @Test
    void aLevelThatNeitherLendsNorBorrowsHasItsShare() {
        Level a = plain("a", 0, 0);
        Level b = plain("b", 0, 0);
        FlowLimiter limiter = new FlowLimiter(10, LONG);
        assertThat(fill(limiter, of(a, b), a)).isEqualTo(5);
        assertThat(fill(limiter, of(a, b), b)).isEqualTo(5);
        seats.getFirst().leave();
        assertThat(fill(limiter, of(a, b), b)).isZero();
        assertThat(fill(limiter, of(a, b), a)).isEqualTo(1);
    }

    @Test
    void aLevelBorrowsWhatOthersLendAndNoMore() {
        Level a = plain("a", 0, -1);
        Level b = plain("b", 60, -1);
        FlowLimiter limiter = new FlowLimiter(10, LONG);
        assertThat(fill(limiter, of(a, b), a))
                .as("five of its own and three of b")
                .isEqualTo(8);
        assertThat(fill(limiter, of(a, b), b)).as("what b does not lend").isEqualTo(2);
        seats.removeFirst().leave();
        assertThat(fill(limiter, of(a, b), b)).isEqualTo(1);
        assertThat(fill(limiter, of(a, b), a)).isZero();
    }

    @Test
    void borrowingIsLimited() {
        Level a = plain("a", 0, 20);
        Level b = plain("b", 100, 0);
        FlowLimiter limiter = new FlowLimiter(10, LONG);
        assertThat(fill(limiter, of(a, b), a)).isEqualTo(6);
    }

    @Test
    void theSeatsOfALevelFollowWhatOthersUse() {
        Level a = plain("a", 60, -1);
        Level b = plain("b", 20, 40);
        Level exempt = new Level("exempt", "", true, 0, 0, -1, 0, 0, 0);
        FlowConfiguration configuration = of(a, b, exempt);
        FlowLimiter limiter = new FlowLimiter(10, LONG);
        assertThat(limiter.seats("p", configuration))
                .containsEntry("a", new LevelSeats(5, 2, 15, OptionalInt.of(6)))
                .containsEntry("b", new LevelSeats(5, 4, 7, OptionalInt.of(7)))
                .containsEntry("exempt", new LevelSeats(0, 0, 10, OptionalInt.empty()));
        assertThat(fill(limiter, configuration, b)).isEqualTo(7);
        assertThat(limiter.seats("p", configuration).get("a").current()).hasValue(3);
        assertThat(fill(limiter, configuration, a)).isEqualTo(3);
    }

    @Test
    void anExemptLevelHasNoLimit() {
        Level exempt = new Level("a", "", true, 0, 0, 0, 0, 0, 0);
        FlowLimiter limiter = new FlowLimiter(0, LONG);
        assertThat(limiter.enter("p", of(exempt), flow(exempt, ""))).isPresent();
        assertThat(limiter.enter()).isEmpty();
    }

    @Test
    void requestsWithoutALevelShareTheLimit() {
        FlowLimiter limiter = new FlowLimiter(2, LONG);
        Seat first = limiter.enter().orElseThrow();
        assertThat(limiter.enter()).isPresent();
        assertThat(limiter.enter()).isEmpty();
        first.leave();
        assertThat(limiter.enter()).isPresent();
    }

    @Test
    void flowsTakeTurns() throws Exception {
        Level a = level("a", 0, 0, 4, 10);
        FlowConfiguration configuration = of(a);
        FlowLimiter limiter = new FlowLimiter(1, LONG);
        Seat first = limiter.enter("p", configuration, flow(a, "greedy")).orElseThrow();
        var order = new LinkedBlockingQueue<String>();
        int waiting = 0;
        for (String user : List.of("greedy", "greedy", "greedy", "modest")) {
            Thread.ofVirtual().start(() -> {
                Seat seat = limiter.enter("p", configuration, flow(a, user)).orElseThrow();
                order.add(user);
                seat.leave();
            });
            waiting++;
            while (limiter.waiting() < waiting) {
                Thread.onSpinWait();
            }
        }
        first.leave();
        List<String> served = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            served.add(order.poll(120, TimeUnit.SECONDS));
        }
        assertThat(served).containsExactly("greedy", "modest", "greedy", "greedy");
        assertThat(limiter.waiting()).isZero();
    }

    @Test
    void aFullQueueAndAWaitThatIsTooLongAreRefused() {
        Level a = level("a", 0, 0, 2, 1);
        FlowConfiguration configuration = of(a);
        FlowLimiter patient = new FlowLimiter(1, LONG);
        Seat first = patient.enter("p", configuration, flow(a, "u")).orElseThrow();
        CompletableFuture<Optional<Seat>> second = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> second.complete(patient.enter("p", configuration, flow(a, "u"))));
        while (patient.waiting() < 1) {
            Thread.onSpinWait();
        }
        assertThat(patient.enter("p", configuration, flow(a, "u")))
                .as("one of a flow may wait")
                .isEmpty();
        first.leave();
        assertThat(second.join()).isPresent();

        FlowLimiter impatient = new FlowLimiter(1, Duration.ZERO);
        Seat only = impatient.enter("p", configuration, flow(a, "u")).orElseThrow();
        assertThat(impatient.enter("p", configuration, flow(a, "u"))).isEmpty();
        assertThat(impatient.waiting()).isZero();
        only.leave();
        assertThat(impatient.enter("p", configuration, flow(a, "u"))).isPresent();
    }

    @Test
    void aChangedConfigurationAppliesToRequestsThatWait() {
        Level a = level("a", 0, 0, 4, 10);
        Level small = plain("b", 0, 0);
        FlowLimiter limiter = new FlowLimiter(2, LONG);
        Seat first = limiter.enter("p", of(a, small), flow(a, "u")).orElseThrow();
        CompletableFuture<Optional<Seat>> second = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> second.complete(limiter.enter("p", of(a, small), flow(a, "u"))));
        while (limiter.waiting() < 1) {
            Thread.onSpinWait();
        }
        Level large = new Level("a", "a", false, 30, 0, -1, 4, 1, 10);
        var unused = limiter.enter("p", of(large, plain("b", 100, 0)), flow(small, "u"));
        assertThat(second.join()).isPresent();
        first.leave();
    }
}
