package dev.evenkeel.engine;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Several engines on the same data, on a clock that only moves when it is moved. */
final class SharedEngines implements AutoCloseable {
    private final Object monitor = new Object();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final List<Member> members = new ArrayList<>();
    private final long seed;
    private final MemoryStore data;
    private int running;

    SharedEngines(long seed) {
        this.seed = seed;
        data = new MemoryStore(MemoryStore.Window.DEFAULT, now::get, new Tasks());
    }

    /** One engine, its store, and the threads that both use. */
    record Member(Engine engine, SharedStore store, Tasks tasks) {
        Client client() {
            return engine.client();
        }

        Requests api() {
            return new Requests(ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION)));
        }
    }

    /** Runs tasks in threads of their own, unless it is paused. */
    final class Tasks implements Executor {
        private final List<Runnable> held = new ArrayList<>();
        private boolean paused;

        @Override
        public void execute(Runnable task) {
            synchronized (monitor) {
                if (paused) {
                    held.add(task);
                    return;
                }
                running++;
            }
            Thread.startVirtualThread(() -> {
                try {
                    task.run();
                } finally {
                    synchronized (monitor) {
                        running--;
                        monitor.notifyAll();
                    }
                }
            });
        }

        /** Holds back what is to run from now on: as a process whose threads get no time. */
        void pause() {
            synchronized (monitor) {
                paused = true;
            }
        }

        void resume() {
            List<Runnable> tasks;
            synchronized (monitor) {
                paused = false;
                tasks = List.copyOf(held);
                held.clear();
            }
            tasks.forEach(this::execute);
        }
    }

    /** Starts one more engine. */
    Member start() {
        return start(builder -> builder);
    }

    Member start(UnaryOperator<Engine.Builder> settings) {
        Tasks tasks = new Tasks();
        AtomicReference<SharedStore> store = new AtomicReference<>();
        Engine engine = settings.apply(Engine.builder()
                        .store(context -> opened(store, context))
                        .clock(now::get)
                        .executor(tasks)
                        .timer(false))
                .build();
        Member member = new Member(engine, store.get(), tasks);
        members.add(member);
        idle();
        return member;
    }

    private Store opened(AtomicReference<SharedStore> store, Store.Context context) {
        store.set(new SharedStore(data, context, seed + members.size()));
        return store.get();
    }

    /** Returns once no task is under way; those of paused engines are not. */
    void idle() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        synchronized (monitor) {
            while (running > 0) {
                try {
                    TimeUnit.NANOSECONDS.timedWait(monitor, Math.max(1, deadline - System.nanoTime()));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                if (running > 0 && System.nanoTime() > deadline) {
                    throw new AssertionError(running + " tasks do not end, seed " + seed);
                }
            }
        }
    }

    /** Moves the clock. */
    void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    /** Stops an engine in an orderly way. */
    void stop(Member member) {
        member.engine().close();
        members.remove(member);
        idle();
    }

    @Override
    public void close() {
        members.forEach(member -> member.tasks().resume());
        members.forEach(member -> member.engine().close());
        data.close();
    }
}
