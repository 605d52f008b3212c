package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.evenkeel.controller.Stash.Key;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StashTest {
    private static final Key<String> IMAGE = Key.of("image", String.class);
    private static final Key<Integer> SIZE = Key.of("size", Integer.class);

    private final Stash stash = new Stash();

    @Test
    void aValueStaysUntilItIsRemoved() {
        assertThat(stash.get(IMAGE)).isEmpty();
        assertThat(stash.has(IMAGE)).isFalse();
        assertThat(stash.remove(IMAGE)).isEmpty();

        stash.put(IMAGE, "a");
        stash.put(IMAGE, "b");

        assertThat(stash.get(IMAGE)).contains("b");
        assertThat(stash.require(IMAGE)).isEqualTo("b");
        assertThat(stash.has(IMAGE)).isTrue();
        assertThat(stash.remove(IMAGE)).contains("b");
        assertThat(stash.has(IMAGE)).isFalse();
    }

    @Test
    void keysAreTheSameByNameAndClass() {
        stash.put(IMAGE, "a");

        assertThat(stash.get(Key.of("image", String.class))).contains("a");
        assertThat(stash.get(Key.of("image", Integer.class))).isEmpty();
        assertThat(stash.get(Key.of("picture", String.class))).isEmpty();
        // two classes of the same simple name are two
        assertThat(Key.of("entry", Map.Entry.class)).isNotEqualTo(Key.of("entry", Entry.class));
    }

    private record Entry() {}

    @Test
    void interfacesAndArraysAreFine() {
        Key<Runnable> task = Key.of("task", Runnable.class);
        Key<int[]> numbers = Key.of("numbers", int[].class);
        int[] some = {1, 2};
        stash.put(task, () -> {});
        stash.put(numbers, some);

        assertThat(stash.get(task)).isPresent();
        assertThat(stash.require(numbers)).isSameAs(some);
        assertThat(numbers).hasToString("numbers (int[])");
    }

    @Test
    void aMissingValueIsReportedByName() {
        stash.put(SIZE, 3);

        assertThatThrownBy(() -> stash.require(IMAGE))
                .isInstanceOf(Stash.MissingValueException.class)
                .hasMessage(
                        "stash: no part has put image (java.lang.String) in this reconciliation; a part that puts it "
                                + "must come before; there is [size (java.lang.Integer)]");
        assertThatThrownBy(() -> new Stash().require(IMAGE)).hasMessageEndingWith("there is nothing");
    }

    @Test
    void aTemporaryValueIsRemovedAfterItsPart() {
        assertThat(stash.<String, String>with(IMAGE, "inner", () -> stash.require(IMAGE)))
                .isEqualTo("inner");
        assertThat(stash.has(IMAGE)).isFalse();

        stash.put(IMAGE, "outer");
        assertThatThrownBy(() -> stash.with(IMAGE, "inner", () -> {
                    throw new IllegalStateException("careless");
                }))
                .hasMessage("careless");
        assertThat(stash.get(IMAGE)).contains("outer");
    }

    @Test
    void entriesAreACopyInOrder() {
        stash.put(SIZE, 3);
        stash.put(IMAGE, "a");

        Map<Key<?>, Object> entries = stash.entries();
        stash.put(IMAGE, "b");

        assertThat(entries).containsExactly(entry(SIZE, 3), entry(IMAGE, "a"));
        assertThatThrownBy(entries::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThat(stash).hasToString("{size (java.lang.Integer)=3, image (java.lang.String)=b}");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void aValueOfAnotherClassIsRefusedWhenItIsPut() {
        assertThatThrownBy(() -> stash.put((Key) IMAGE, 3)).isInstanceOf(ClassCastException.class);
        assertThat(stash.has(IMAGE)).isFalse();
    }

    @Test
    void keysThatFindNothingAreRefused() {
        assertThatThrownBy(() -> Key.of(" ", String.class)).hasMessage("name: must not be empty");
        assertThatThrownBy(() -> Key.of("size", int.class))
                .hasMessage("type: of size is int, and values are objects: use the class of its box, such as "
                        + "Integer.class");
    }
}
