package dev.evenkeel.soak.torture;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets threads begin an operation while it is open, and knows which of them are in one. */
final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> inside = new TreeSet<>();
    private boolean open = true;

    /** Waits until it is open. */
    void enter() {
        lock.lock();
        try {
            while (!open) {
                changed.awaitUninterruptibly();
            }
            inside.add(Thread.currentThread().getName());
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        change(() -> inside.remove(Thread.currentThread().getName()));
    }

    void close() {
        change(() -> open = false);
    }

    void open() {
        change(() -> open = true);
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no thread is inside; returns the names of those that are after a time. */
    List<String> awaitEmpty(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (!inside.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return List.copyOf(inside);
        } finally {
            lock.unlock();
        }
    }
}
