package dev.evenkeel.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.spi.CompactedException;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Change;
import dev.evenkeel.engine.spi.Store.Committed;
import dev.evenkeel.engine.spi.Store.Entry;
import dev.evenkeel.engine.spi.Store.Event;
import dev.evenkeel.engine.spi.Store.Key;
import dev.evenkeel.engine.spi.Store.Range;
import dev.evenkeel.engine.spi.Store.Snapshot;
import dev.evenkeel.engine.spi.Store.Value;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory store as the read model of a durable one, which decides revisions. */
class MemoryStoreApplyTest {
    private static final Value VALUE = () -> new byte[0];
    private static final Key X = new Key("c", "n", "x");
    private static final Key Y = new Key("c", "n", "y");
    private static final Key Z = new Key("d", "", "z");

    private MemoryStore store = new MemoryStore(MemoryStore.Window.DEFAULT, InstantSource.system(), Runnable::run);

    @AfterEach
    void validate() {
        store.validate();
    }

    @Test
    void anAppliedCommitHasItsRevisionAndReachesWatches() {
        var watch = store.watch("c", 0, () -> {});

        store.apply(5, List.of(new Change(X, 0, VALUE), new Change(Z, 0, VALUE)));
        store.apply(9, List.of(new Change(X, 0, null), new Change(Y, 0, VALUE)));

        assertThat(store.revision()).isEqualTo(9);
        assertThat(store.snapshot().get(Z).revision()).isEqualTo(5);
        assertThat(store.snapshot().get(Y).revision()).isEqualTo(9);
        assertThat(keys(store.snapshot(6))).containsExactly(X, Z);
        assertThat(watch.poll(10).stream().map(Event::toString))
                .containsExactly("CREATE " + X + " @5", "DELETE " + X + " @9", "CREATE " + Y + " @9");
    }

    @Test
    void withoutChangesOnlyTheRevisionAdvances() {
        store.apply(5, List.of(new Change(X, 0, VALUE)));
        store.apply(8, List.of());

        assertThat(store.revision()).isEqualTo(8);
        assertThat(keys(store.snapshot(7))).containsExactly(X);
        assertThat(store.commit(List.of(new Change(Y, 0, VALUE)))).isEqualTo(new Committed(9));
    }

    @Test
    void aRevisionThatIsNotGreaterIsRefused() {
        store.apply(5, List.of(new Change(X, 0, VALUE)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.apply(5, List.of(new Change(Y, 0, VALUE))))
                .withMessageContaining("greater than the present 5");
        assertThat(keys(store.snapshot())).containsExactly(X);
    }

    @Test
    void aStoreThatBeginsWithEntriesHasNoEarlierHistory() {
        store = new MemoryStore(
                MemoryStore.Window.DEFAULT,
                InstantSource.system(),
                Runnable::run,
                7,
                List.of(new Entry(Z, 3, VALUE), new Entry(Y, 2, VALUE), new Entry(X, 6, VALUE)));

        assertThat(store.revision()).isEqualTo(7);
        assertThat(keys(store.snapshot())).containsExactly(X, Y, Z);
        assertThat(store.snapshot().get(Z).revision()).isEqualTo(3);
        assertThatThrownBy(() -> store.snapshot(6)).isInstanceOf(CompactedException.class);
        assertThatThrownBy(() -> store.watch("c", 6, () -> {})).isInstanceOf(CompactedException.class);
        assertThat(store.watch("c", 7, () -> {}).poll(1)).isEmpty();
    }

    @Test
    void aResetReplacesTheStateAndEndsAllWatches() {
        store.apply(5, List.of(new Change(X, 0, VALUE), new Change(Z, 0, VALUE)));
        var snapshot = store.snapshot();
        AtomicInteger woken = new AtomicInteger();
        List<Store.Watch> watches = Stream.of(Range.of("c"), Range.of(X), Range.of("later"), Range.ALL)
                .map(range -> store.watch(range, 5, woken::incrementAndGet))
                .toList();
        watches.forEach(watch -> assertThat(watch.poll(1)).isEmpty());

        store.reset(9, List.of(new Entry(Y, 7, VALUE), new Entry(Z, 5, VALUE)));

        assertThat(store.revision()).isEqualTo(9);
        assertThat(keys(store.snapshot())).containsExactly(Y, Z);
        assertThat(store.snapshot().get(Y).revision()).isEqualTo(7);
        assertThat(keys(snapshot)).containsExactly(X, Z);
        assertThat(woken).hasValue(4);
        watches.forEach(watch -> assertThatThrownBy(() -> watch.poll(1)).isInstanceOf(CompactedException.class));
        for (String collection : List.of("c", "new", "")) {
            assertThatThrownBy(() -> store.watch(collection, 8, () -> {})).isInstanceOf(CompactedException.class);
        }
        assertThatThrownBy(() -> store.snapshot(5)).isInstanceOf(CompactedException.class);

        var watch = store.watch(Range.ALL, 9, () -> {});
        store.apply(10, List.of(new Change(Y, 0, null)));
        assertThat(watch.poll(10)).extracting(Event::toString).containsExactly("DELETE " + Y + " @10");
        assertThat(keys(store.snapshot(9))).containsExactly(Y, Z);
    }

    @Test
    void aResetOfAStoreWithoutEventsEndsWatchesOfEverything() {
        store = new MemoryStore(
                MemoryStore.Window.DEFAULT, InstantSource.system(), Runnable::run, 7, List.of(new Entry(Z, 3, VALUE)));
        var watch = store.watch(Range.ALL, 7, () -> {});

        store.reset(8, List.of());

        assertThat(keys(store.snapshot())).isEmpty();
        assertThatThrownBy(() -> watch.poll(1)).isInstanceOf(CompactedException.class);
    }

    private static List<Key> keys(Snapshot snapshot) {
        List<Key> keys = new ArrayList<>();
        snapshot.collections()
                .forEach(collection -> snapshot.range(collection, "", null, entry -> keys.add(entry.key())));
        return keys;
    }
}
