package dev.evenkeel.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.Store.Range;
import dev.evenkeel.engine.spi.Store.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/** Follows a watch: polls it, and waits in between. */
final class Follower {
    private final Semaphore ready = new Semaphore(0);
    final Watch watch;
    final List<Event> seen = new ArrayList<>();

    Follower(Store store, Range range, long after) {
        watch = store.watch(range, after, ready::release);
    }

    /** Waits until there may be something new; only after an empty poll. */
    void pause() throws InterruptedException {
        acquire(ready);
    }

    /** The next events, as many as said. */
    List<String> await(int count) {
        int from = seen.size();
        awaitUntil(event -> seen.size() == from + count);
        return described().subList(from, seen.size());
    }

    /** Waits until a value is written; to a key if one is given. */
    void awaitLast(Key key, String text) {
        awaitUntil(event -> (key == null || event.key().equals(key))
                && Samples.text(event.current()).equals(text));
    }

    private void awaitUntil(Predicate<Event> last) {
        while (true) {
            List<Event> events = watch.poll(100);
            for (Event event : events) {
                seen.add(event);
            }
            if (!events.isEmpty() && last.test(events.getLast())) {
                return;
            }
            if (events.isEmpty()) {
                try {
                    pause();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Waits for what is wanted, and sees that it is what comes. */
    void expect(List<String> wanted, Function<Event, String> description) {
        if (seen.size() < wanted.size()) {
            await(wanted.size() - seen.size());
        }
        assertThat(watch.poll(10)).isEmpty();
        assertThat(seen.stream().map(description)).containsExactlyElementsOf(wanted);
    }

    List<String> described() {
        return seen.stream().map(Samples::describe).toList();
    }

    static void acquire(Semaphore ready) throws InterruptedException {
        assertThat(ready.tryAcquire(120, TimeUnit.SECONDS)).as("woken").isTrue();
    }
}
