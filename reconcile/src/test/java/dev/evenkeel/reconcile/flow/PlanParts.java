package dev.evenkeel.reconcile.flow;

import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.TerminalException;
import dev.evenkeel.reconcile.flow.Ending.Mark;
import dev.evenkeel.reconcile.flow.Plan.Leaf;
import dev.evenkeel.reconcile.flow.Plan.Question;
import dev.evenkeel.reconcile.flow.Plan.Twist;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;

/** The parts that a plan says. What they call is noted. */
final class PlanParts {
    /** The items of loops; each has a key of its own. */
    static final List<String> ITEMS = List.of("first", "second");

    private final List<String> calls = new ArrayList<>();

    List<String> calls() {
        return calls;
    }

    Part<ConfigMap> part(Plan plan) {
        return switch (plan) {
            case Leaf leaf -> Part.of((reconciliation, map) -> leaf(leaf, reconciliation, map));
            case Plan.InSequence row -> Sequence.of(parts(row));
            case Plan.InAnyCase row -> Always.of(parts(row));
            case Plan.SideBySide row -> Parallel.of(new AtOnce(false), parts(row));
            case Plan.Choice choice ->
                choice.otherwise()
                        .map(other -> IfThen.of(asks(choice.question()), part(choice.then()), part(other)))
                        .orElseGet(() -> IfThen.of(asks(choice.question()), part(choice.then())));
            case Plan.Loop loop -> While.atMost(loop.limit(), asks(loop.question()), part(loop.body()));
            case Plan.Each each -> ForEach.of(key(each.item()), (unused, map) -> items(each, map), part(each.body()));
            case Plan.Caught caught -> caught(caught);
            case Plan.Advised advised -> advised(advised);
            case Plan.Timed timed -> Timeout.of(new AtOnce(timed.rings()), Duration.ofSeconds(1), part(timed.part()));
            case Plan.Synced synced -> synced(synced);
        };
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // of an array
    private SubReconciler<ConfigMap>[] parts(Plan plan) {
        return plan.children().stream().map(this::part).toArray(SubReconciler[]::new);
    }

    private Part<ConfigMap> caught(Plan.Caught caught) {
        TryCatch<ConfigMap> part = TryCatch.of(part(caught.part()));
        if (caught.twist().isPresent()) {
            Twist twist = caught.twist().get();
            part = part.catching((unused, unused2, outcome) -> twisted(caught.id(), twist, outcome));
        }
        if (caught.last().isPresent()) {
            part = part.finallyDoing(part(caught.last().get()));
        }
        return part.build();
    }

    private Part<ConfigMap> advised(Plan.Advised advised) {
        Advice<ConfigMap> advice = Advice.of(part(advised.part()))
                .around((part, reconciliation, map) -> around(advised, part, reconciliation, map));
        if (advised.before().isPresent()) {
            advice = advice.before(part(advised.before().get()));
        }
        if (advised.after().isPresent()) {
            Twist twist = advised.after().get();
            advice = advice.after((unused, unused2, outcome) -> twisted(advised.id(), twist, outcome));
        }
        return advice.build();
    }

    private Part<ConfigMap> synced(Plan.Synced synced) {
        SyncReconciler<ConfigMap> part = SyncReconciler.of(ConfigMap.class).sync(part(synced.living()));
        if (synced.both()) {
            part = part.syncDuringFinalization(true);
        }
        if (synced.deleted().isPresent()) {
            part = part.finalizing(part(synced.deleted().get()));
        }
        return part.build();
    }

    @SuppressWarnings("NullAway") // as users may
    private Result leaf(Leaf leaf, Reconciliation<ConfigMap> reconciliation, ConfigMap map) {
        calls.add("leaf " + leaf.id() + " " + seen(reconciliation.stash()));
        Map<String, String> data = new TreeMap<>(map.getData());
        leaf.effects().forEach(effect -> effect.on(data));
        map.setData(data);
        String name = "leaf " + leaf.id();
        return switch (leaf.end().way()) {
            case DONE -> said(leaf.end(), Result.done());
            case HALTED -> said(leaf.end(), Result.halted());
            case RETRY -> said(leaf.end(), Result.retry());
            case QUIET -> said(leaf.end(), Result.quiet(new Mark(name)));
            case DURABLE -> said(leaf.end(), Result.durable(new Mark(name)));
            case FAILED -> said(leaf.end(), Result.failed(new Mark(name)));
            case TERMINAL -> said(leaf.end(), Result.failed(new TerminalException(name)));
            case THROWS -> throw new Mark(name);
            case THROWS_TERMINAL -> throw new TerminalException(name);
            case NULL -> null;
        };
    }

    private static Result said(Plan.End end, Result outcome) {
        Result timed = end.seconds() == 0 ? outcome : outcome.within(Duration.ofSeconds(end.seconds()));
        Result urgent = end.priority() == 0 ? timed : timed.priority(end.priority());
        return end.skips() ? urgent.skipStatus() : urgent;
    }

    private static Map<String, String> seen(Stash stash) {
        Map<String, String> seen = new TreeMap<>();
        stash.get(While.ITERATION).ifPresent(i -> seen.put("iteration", Integer.toString(i)));
        for (String item : ITEMS) {
            stash.get(key(item)).ifPresent(value -> {
                ForEach.Position position = stash.require(ForEach.position(key(item)));
                seen.put(item, value + " " + position.index() + "/" + position.length());
            });
        }
        return seen;
    }

    private static Stash.Key<String> key(String item) {
        return Stash.Key.of(item, String.class);
    }

    private BiPredicate<Reconciliation<ConfigMap>, ConfigMap> asks(Question question) {
        return (unused, map) -> {
            calls.add("question " + question.id());
            return question.answer(map.getData()).orElseThrow(() -> new Mark("question " + question.id()));
        };
    }

    private List<String> items(Plan.Each each, ConfigMap map) {
        calls.add("items " + each.id());
        return switch (each.items()) {
            case TWO -> List.of("x", "y");
            case NONE -> List.of();
            case KEYS -> List.copyOf(new TreeSet<>(map.getData().keySet()));
            case THROW -> throw new Mark("items " + each.id());
        };
    }

    @SuppressWarnings("NullAway") // as users may
    private Result around(
            Plan.Advised advised,
            SubReconciler<ConfigMap> part,
            Reconciliation<ConfigMap> reconciliation,
            ConfigMap map) {
        calls.add("around " + advised.id());
        return switch (advised.around()) {
            case ONCE -> part.reconcile(reconciliation, map);
            case NEVER -> Result.done();
            case TWICE -> part.reconcile(reconciliation, map).plus(part.reconcile(reconciliation, map));
            case THROWS_AFTER -> {
                Result unused = part.reconcile(reconciliation, map);
                throw new Mark("around " + advised.id());
            }
            case NULL -> null;
        };
    }

    @SuppressWarnings("NullAway") // as users may
    private Result twisted(int id, Twist twist, Result outcome) {
        calls.add("twist " + id);
        return switch (twist) {
            case KEEP -> outcome;
            case DONE -> Result.done();
            case HALT -> Result.halted();
            case SOON -> outcome.plus(Result.after(Duration.ofSeconds(1)));
            case THROW -> throw new Mark("twist " + id);
            case NULL -> null;
        };
    }

    /** Runs what is to be run in the thread of the caller; what is to come comes at once, or never. */
    private record AtOnce(boolean rings) implements Scheduler {
        private static final CompletableFuture<Void> ENDED = CompletableFuture.completedFuture(null);

        @Override
        public Clock clock() {
            return Clock.systemUTC();
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public RandomGenerator random() {
            return RandomGenerator.getDefault();
        }

        @Override
        public Job execute(String name, Runnable task) {
            task.run();
            return new Job() {
                @Override
                public void interrupt() {}

                @Override
                public CompletableFuture<Void> ended() {
                    return ENDED;
                }

                @Override
                public StackTraceElement[] stack() {
                    return new StackTraceElement[0];
                }
            };
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            if (rings) {
                task.run();
            }
            return () -> {};
        }

        @Override
        public <T extends HasMetadata> Job read(String name, Watch<T> watch, WatchReader<T> reader) {
            throw new UnsupportedOperationException("no part of the flow watches");
        }

        @Override
        public boolean await(CompletableFuture<?> future, Duration atMost) {
            return future.isDone();
        }
    }
}
