package dev.evenkeel.reconcile.flow;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Stash;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Whatever is nested in whatever: parts of the flow end as their contracts say, call the same in the same order, and leave the
 * same object. {@code -Dtrees.seed} begins elsewhere, {@code -Dtrees.count} tries more or less.
 */
class RandomTreesTest {
    private static final long FIRST = Long.getLong("trees.seed", 1);
    private static final int COUNT = Integer.getInteger("trees.count", 10_000);

    /** The result of a tree. */
    private record Run(Ending ending, List<String> calls, Map<String, String> data) {}

    /** One case: the tree, and the object that it is for. */
    private record Case(Plan plan, Map<String, String> data, boolean deleted) {
        static Case of(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            Map<String, String> data = new TreeMap<>();
            for (String key : List.of("a", "b")) {
                if (random.nextBoolean()) {
                    data.put(key, Integer.toString(random.nextInt(3)));
                }
            }
            boolean deleted = random.nextInt(3) == 0;
            return new Case(new RandomPlans(random).plan(1 + random.nextInt(16)), data, deleted);
        }

        Run expected() {
            PlanReading reading = new PlanReading(deleted);
            Map<String, String> changed = new TreeMap<>(data);
            return new Run(reading.run(plan, changed, Map.of()), reading.calls(), changed);
        }

        Run actual() {
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("a")
                    .endMetadata()
                    .withData(new TreeMap<>(data))
                    .build();
            if (deleted) {
                map.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
            }
            PlanParts parts = new PlanParts();
            Ending ending = Ending.of(parts.part(plan).reconcile(withStash(), map));
            return new Run(ending, parts.calls(), new TreeMap<>(map.getData()));
        }

        /** The smallest tree in this one that fails as well. */
        Case shrunk() {
            for (Plan child : plan.children()) {
                Case smaller = new Case(child, data, deleted);
                if (!smaller.expected().equals(smaller.actual())) {
                    return smaller.shrunk();
                }
            }
            return this;
        }
    }

    @Test
    void partsDoWhatTheirContractsSay() {
        Optional<String> failure = quietly(() -> {
            for (long seed = FIRST; seed < FIRST + COUNT; seed++) {
                Case one = Case.of(seed);
                if (!one.expected().equals(one.actual())) {
                    Case small = one.shrunk();
                    return Optional.of("-Dtrees.seed=" + seed + ": " + small + "\nis to come to " + small.expected()
                            + "\nand came to       " + small.actual());
                }
            }
            return Optional.empty();
        });
        assertThat(failure).as("from -Dtrees.seed=%d, %d trees", FIRST, COUNT).isEmpty();
    }

    @Test
    void treesAreOfAllKinds() {
        for (Class<?> kind : Plan.class.getPermittedSubclasses()) {
            assertThat(LongStream.range(0, 200).mapToObj(Case::of).map(Case::plan))
                    .anyMatch(kind::isInstance);
        }
    }

    /** A reconciliation that has a stash, and nothing else: no part of the flow needs more. */
    @SuppressWarnings("unchecked") // of what a proxy is
    private static Reconciliation<ConfigMap> withStash() {
        Stash stash = new Stash();
        return (Reconciliation<ConfigMap>) Proxy.newProxyInstance(
                RandomTreesTest.class.getClassLoader(),
                new Class<?>[] {Reconciliation.class},
                (unused, method, unused2) -> {
                    if (method.getName().equals("stash")) {
                        return stash;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    /** Waits for another thread that starts SLF4J: it holds this lock, and others get a substitute meanwhile. */
    @SuppressWarnings("LockOnNonEnclosingClassLiteral")
    private static LoggerContext logback() {
        synchronized (LoggerFactory.class) {
            return (LoggerContext) LoggerFactory.getILoggerFactory();
        }
    }

    /** Without what this thread would log of failures. */
    private static <R> R quietly(Supplier<R> work) {
        Thread thread = Thread.currentThread();
        LoggerContext context = logback();
        TurboFilter filter = new TurboFilter() {
            @Override
            public FilterReply decide(
                    @Nullable Marker marker,
                    Logger logger,
                    Level level,
                    @Nullable String format,
                    Object @Nullable [] params,
                    @Nullable Throwable error) {
                return Thread.currentThread().equals(thread) ? FilterReply.DENY : FilterReply.NEUTRAL;
            }
        };
        context.addTurboFilter(filter);
        try {
            return work.get();
        } finally {
            boolean unused = context.getTurboFilterList().remove(filter);
        }
    }
}
