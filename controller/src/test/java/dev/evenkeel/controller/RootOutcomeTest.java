package dev.evenkeel.controller;

import static dev.evenkeel.controller.Objects.configMap;
import static dev.evenkeel.controller.Objects.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The effects of the outcomes that a root returns, in virtual time. */
@Timeout(300)
class RootOutcomeTest {
    private static final RuntimeException ERROR = new IllegalStateException("careless");

    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final BatonScheduler time = new BatonScheduler(1);
    private final List<Integer> rows = new ArrayList<>();
    private final List<ControllerEvent.Outcome> endings = new ArrayList<>();
    private final List<Optional<Throwable>> failures = new ArrayList<>();
    private final Manager manager = Manager.builder(client)
            .scheduler(time)
            .listener(event -> {
                if (event instanceof ControllerEvent.Reconciled reconciled) {
                    endings.add(reconciled.outcome());
                    failures.add(reconciled.failure());
                }
            })
            .build();

    @AfterEach
    void stop() {
        Scheduler.Job job = time.execute("test", manager::close);
        for (int i = 0; i < 600 && !job.ended().isDone(); i++) {
            time.advance(Duration.ofMillis(100));
        }
        assertThat(job.ended()).isDone();
        engine.close();
    }

    /** Has one object reconciled, each time with this outcome, for ten seconds; tells the failures in a row at each. */
    private List<Integer> rows(Result outcome) {
        client.create(configMap("a", "1"));
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            rows.add(reconciliation.failures());
                            return outcome;
                        })
                        .name("maps")
                        .resyncInterval(Duration.ZERO)
                        .retry(RateLimiter.exponential(Duration.ofSeconds(4), Duration.ofMinutes(1))))
                .start();
        time.advance(Duration.ofSeconds(10));
        return rows;
    }

    private String explained() {
        return manager.explain("maps", key("a")).toString();
    }

    @Test
    void aHaltIsASuccess() {
        assertThat(rows(Result.halted())).containsExactly(0);
        assertThat(endings).containsExactly(ControllerEvent.Outcome.SUCCESS);
    }

    @Test
    void aDelayOutlivesAHalt() {
        assertThat(rows(Result.halted().within(Duration.ofSeconds(7)))).containsExactly(0, 0);
        assertThat(endings).containsOnly(ControllerEvent.Outcome.REQUEUE_AFTER);
    }

    @Test
    void aQuietFailureIsRetriedAndShownOnDemand() {
        assertThat(rows(Result.quiet(ERROR))).containsExactly(0, 1);
        assertThat(endings).containsOnly(ControllerEvent.Outcome.REQUEUE);
        assertThat(failures).containsOnly(Optional.empty());
        assertThat(explained()).contains("careless");
    }

    @Test
    void aDurableFailureIsReportedAndNotRetried() {
        assertThat(rows(Result.durable(ERROR))).containsExactly(0);
        assertThat(endings).containsExactly(ControllerEvent.Outcome.TERMINAL);
        assertThat(failures).containsExactly(Optional.of(ERROR));
    }

    @Test
    void aDelayOutlivesADurableFailure() {
        assertThat(rows(Result.durable(ERROR).within(Duration.ofSeconds(7)))).containsExactly(0, 0);
        assertThat(endings).containsOnly(ControllerEvent.Outcome.TERMINAL);
    }

    @Test
    void aFailureIsReportedAndRetried() {
        assertThat(rows(Result.failed(ERROR))).containsExactly(0, 1);
        assertThat(endings).containsOnly(ControllerEvent.Outcome.ERROR);
        assertThat(failures).containsOnly(Optional.of(ERROR));
    }

    @Test
    void theShorterOfDelayAndBackoffCounts() {
        // at 0, 3, 6 and 9 s: the backoff is 4 s, then 8, then 16
        assertThat(rows(Result.failed(ERROR).within(Duration.ofSeconds(3)))).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aDurableFailureDoesNotSwallowTheRetryOfAnother() {
        assertThat(rows(Result.durable(new TerminalException("wrong")).plus(Result.failed(ERROR))))
                .containsExactly(0, 1);
        assertThat(endings).containsOnly(ControllerEvent.Outcome.ERROR);
    }

    @Test
    void thePriorityIsThatOfTheNextTime() {
        List<String> order = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            client.create(configMap(name, "1"));
        }
        manager.add(Controller.of(ConfigMap.class, reconciliation -> {
                            String name = reconciliation.key().name();
                            order.add(name);
                            Result again = Result.after(Duration.ofSeconds(1));
                            return order.size() > 3 ? Result.done() : name.equals("c") ? again.priority(100) : again;
                        })
                        .resyncInterval(Duration.ZERO)
                        .workers(1))
                .start();
        time.advance(Duration.ofMillis(50));
        assertThat(order).hasSize(3);

        time.advance(Duration.ofSeconds(2));

        assertThat(order).hasSize(6);
        assertThat(order.get(3)).isEqualTo("c");
    }
}
