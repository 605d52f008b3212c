package dev.evenkeel.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ScopedTest {
    private final Scoped<String> scoped = new Scoped<>();

    @Test
    void innermostValueIsSeenAndTheOuterRestored() {
        assertThat(scoped.get()).isEmpty();
        assertThat(scoped.where(
                        "a",
                        () -> scoped.where("b", scoped::get).orElseThrow()
                                + scoped.get().orElseThrow()))
                .isEqualTo("ba");
        assertThat(scoped.get()).isEmpty();
    }

    @Test
    void valueIsRestoredAfterAFailure() {
        assertThatIllegalStateException()
                .isThrownBy(() -> scoped.where("a", () -> {
                    throw new IllegalStateException();
                }));
        assertThat(scoped.get()).isEmpty();
    }

    @Test
    void anotherThreadBeginsWithoutIt() {
        Optional<String> seen = scoped.where(
                "a", () -> CompletableFuture.supplyAsync(scoped::get).join());
        assertThat(seen).isEmpty();
    }
}
