package dev.evenkeel.controller.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InternerTest {
    private static String copy(String text) {
        return new StringBuilder(text).toString();
    }

    @Test
    @DisplayName("Equal values become one, also after it has grown")
    void one() {
        Interner<String> interner = new Interner<>();
        String first = interner.intern(copy("a"));
        assertThat(interner.intern(copy("a"))).isSameAs(first);

        for (int i = 0; i < 100_000; i++) {
            assertThat(interner.intern("value " + i)).isEqualTo("value " + i);
        }
        String later = interner.intern(copy("a"));
        assertThat(interner.intern(copy("a"))).isSameAs(later);
    }
}
