package dev.evenkeel.junit;

import dev.evenkeel.junit.internal.Activity;
import dev.evenkeel.junit.internal.Reconciliations;
import dev.evenkeel.junit.internal.VirtualTimer;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.processing.Controller;
import io.javaoperatorsdk.operator.processing.event.EventProcessor;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.timer.TimerEventSource;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;

/**
 * A started operator of JOSDK that tests wait for, and whose retries and reschedules they move in time.
 *
 * <pre>{@code
 * operator.start();
 * JosdkOperator control = JosdkOperator.of(cluster, operator);
 * client.resource(page).create();
 * control.settle();                        // reconciled, with all that follows
 * control.advance(Duration.ofMinutes(5));  // retries and reschedules of five minutes, at once
 * }</pre>
 *
 * <p>From then on the operator's timers of retries, of {@code rescheduleAfter} and of the maximal reconciliation interval
 * run only when a test advances them. JOSDK has no clock to set, so this replaces its private timers: versions 5.2 and
 * later of 5 have them. Event sources that poll, the default rate limiter, expectations and leader election have
 * timers of their own, which run in real time, and for which nothing waits.
 *
 * <p>Thread-safe.
 */
public final class JosdkOperator {
    private static final Duration PAUSE = Duration.ofMillis(1);

    /** The field with the real time at which a retry was scheduled. */
    private static final String SCHEDULED = "lastNextDelayCallEpochMillis";

    /** The fields of JOSDK's classes. */
    private static final Map<Member, Field> FIELDS = new ConcurrentHashMap<>();

    private record Member(Class<?> type, String name) {}

    private final Activity activity;
    private final Reconciliations reconciliations = new Reconciliations();
    private final TestClock clock;

    /** The time of the timers, which passes only by {@link #advance}: no due time depends on how long a test takes. */
    private volatile Instant now;

    private final Operator operator;
    private final Map<TimerEventSource<?>, VirtualTimer> timers = new ConcurrentHashMap<>();

    private JosdkOperator(EngineCluster cluster, Operator operator) {
        this.activity = cluster.activity();
        this.clock = cluster.clock();
        this.now = clock.instant();
        this.operator = operator;
        replaceTimers();
    }

    /** Returns the control of a started operator whose client is one of a cluster's. */
    public static JosdkOperator of(EngineCluster cluster, Operator operator) {
        return new JosdkOperator(cluster, operator);
    }

    /**
     * Waits until the operator has nothing to do: the cluster is quiet, no resource is being reconciled or waits for a
     * thread. Retries and reschedules that are due later do not count; {@link #next} returns when they are.
     *
     * @throws IllegalStateException after 20 seconds
     */
    public void settle() {
        long unused = settled();
    }

    /** The same; returns the number of tasks that the cluster had ever started when the operator had nothing to do. */
    long settled() {
        long deadline = System.nanoTime() + EngineCluster.MOST_WAIT.toNanos();
        while (true) {
            replaceTimers();
            long started = activity.awaitQuiet(EngineCluster.MOST_WAIT);
            long ended = reconciliations.ended();
            List<String> busy = controllers().flatMap(JosdkOperator::busy).toList();
            if (busy.isEmpty() && activity.quietSince(started)) {
                return started;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the operator has not settled after " + EngineCluster.MOST_WAIT
                        + "; being reconciled: " + busy);
            }
            // those that were submitted before this was created are not counted
            reconciliations.awaitEnd(ended, PAUSE);
        }
    }

    /** Returns the time until the next retry or reschedule; empty if there is none. */
    public Optional<Duration> next() {
        return timers.values().stream()
                .flatMap(timer -> timer.next().stream())
                .min(Comparator.naturalOrder())
                .map(due -> Duration.between(now, due));
    }

    /**
     * Advances the clock of the cluster, and runs the retries and reschedules that become due, in their order; waits after
     * each until the operator has {@link #settle settled}.
     */
    public synchronized void advance(Duration time) {
        settle();
        Instant end = now.plus(time);
        while (true) {
            Optional<VirtualTimer> first = timers.values().stream()
                    .filter(timer ->
                            timer.next().filter(due -> !due.isAfter(end)).isPresent())
                    .min(Comparator.comparing(timer -> timer.next().orElse(end)));
            if (first.isEmpty()) {
                break;
            }
            advanceTo(first.get().next().orElse(end));
            first.get().runFirst();
            settle();
        }
        advanceTo(end);
    }

    private void advanceTo(Instant time) {
        Duration passed = Duration.between(now, time);
        controllers().forEach(controller -> age(controller.getEventProcessor(), passed));
        clock.advance(passed);
        now = time;
    }

    /**
     * Lets retries have been scheduled earlier by a time. Since version 5.4 they know when, and a reconciliation that fails
     * before its retry is due does not count as one.
     */
    private static void age(EventProcessor<?> processor, Duration time) {
        // whose methods are synchronized
        synchronized (processor) {
            for (Object state : states(processor).values()) {
                Object retry = get(state, "retry");
                if (retry != null
                        && declared(retry.getClass(), SCHEDULED)
                        && get(retry, SCHEDULED) instanceof Long millis) {
                    set(retry, SCHEDULED, millis - time.toMillis());
                }
            }
        }
    }

    private static boolean declared(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredFields())
                .anyMatch(field -> field.getName().equals(name));
    }

    private static Map<?, ?> states(EventProcessor<?> processor) {
        return (Map<?, ?>) get(get(processor, "resourceStateManager"), "states");
    }

    private Stream<Controller<?>> controllers() {
        List<Controller<?>> controllers = new ArrayList<>();
        for (RegisteredController<?> registered : operator.getRegisteredControllers()) {
            if (registered instanceof Controller<?> controller) {
                controllers.add(controller);
            }
        }
        return controllers.stream();
    }

    /** Returns the resources that are being reconciled. */
    private static Stream<String> busy(Controller<?> controller) {
        EventProcessor<?> processor = controller.getEventProcessor();
        List<String> busy = new ArrayList<>();
        // whose methods are synchronized
        synchronized (processor) {
            for (Map.Entry<?, ?> state : states(processor).entrySet()) {
                if ((boolean) get(state.getValue(), "underProcessing")) {
                    busy.add(controller.getConfiguration().getName() + " " + state.getKey());
                }
            }
        }
        return busy.stream();
    }

    private synchronized void replaceTimers() {
        controllers().forEach(controller -> {
            EventProcessor<?> processor = controller.getEventProcessor();
            for (Object source : controller.getEventSourceManager().allEventSources()) {
                if (source instanceof TimerEventSource<?> timers && timers.isRunning()) {
                    // which schedules retries within its synchronized methods
                    synchronized (processor) {
                        replace(timers);
                    }
                }
            }
            count(processor);
        });
    }

    /** JOSDK reports to no one that a reconciliation has ended, so its executor does. */
    private void count(EventProcessor<?> processor) {
        synchronized (processor) {
            ExecutorService present = (ExecutorService) get(processor, "executor");
            if (present != null && !reconciliations.areCountedBy(present)) {
                set(processor, "executor", reconciliations.countedBy(present));
            }
        }
    }

    private void replace(TimerEventSource<?> source) {
        Object present = get(source, "timer");
        if (present instanceof VirtualTimer) {
            return;
        }
        Map<?, ?> tasks = (Map<?, ?>) get(source, "onceTasks");
        VirtualTimer timer = new VirtualTimer(() -> now, tasks::containsValue);
        set(source, "timer", timer);
        // whose thread would live until it is collected
        ((Timer) present).cancel();
        timers.put(source, timer);
        // what was scheduled before continues on the new timer
        Map.copyOf(tasks).forEach((id, task) -> {
            long due = ((TimerTask) task).scheduledExecutionTime();
            source.scheduleOnce((ResourceID) id, Math.max(0, due - System.currentTimeMillis()));
        });
    }

    private static Object get(Object object, String name) {
        try {
            return field(object, name).get(object);
        } catch (IllegalAccessException e) {
            throw unknown(object, name, e);
        }
    }

    private static void set(Object object, String name, Object value) {
        try {
            field(object, name).set(object, value);
        } catch (IllegalAccessException e) {
            throw unknown(object, name, e);
        }
    }

    private static Field field(Object object, String name) {
        return FIELDS.computeIfAbsent(new Member(object.getClass(), name), member -> find(object, name));
    }

    private static Field find(Object object, String name) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException e) {
                // one of a superclass
            } catch (RuntimeException e) {
                throw unknown(object, name, e);
            }
        }
        throw unknown(object, name, new NoSuchFieldException(name));
    }

    private static IllegalStateException unknown(Object object, String name, Exception cause) {
        return new IllegalStateException(
                "this version of JOSDK is not known: " + object.getClass().getName() + " has no accessible field "
                        + name + "; known are versions 5.2 and later of 5",
                cause);
    }
}
