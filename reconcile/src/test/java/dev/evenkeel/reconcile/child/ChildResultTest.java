package dev.evenkeel.reconcile.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChildResultTest {
    private static final ChildResult<ConfigMap> WELL = new ChildResult<>(Optional.empty(), Optional.empty());

    private static ChildResult<ConfigMap> failed(RuntimeException error) {
        return new ChildResult<>(Optional.empty(), Optional.of(error));
    }

    private static ChildResult<ConfigMap> forbidden(String message) {
        return failed(ApiException.of(Status.of(403, "Forbidden", message)));
    }

    @Test
    void saysReasonAndMessageOfTheApi() {
        assertThat(forbidden("no quota").reason()).isEqualTo("Forbidden");
        assertThat(forbidden("no quota").message()).contains("no quota");
    }

    @Test
    void saysNothingWhenAllIsWell() {
        assertThat(WELL.reason()).isEmpty();
        assertThat(WELL.message()).isEmpty();
        ChildSetResult<ConfigMap> set = new ChildSetResult<>(List.of(new ChildSetResult.Entry<>("a", WELL)));
        assertThat(set.reason()).isEmpty();
        assertThat(set.message()).isEmpty();
    }

    @Test
    void anErrorWithoutAMessageIsNamed() {
        assertThat(failed(new IllegalStateException()).message()).isEqualTo("java.lang.IllegalStateException");
        assertThat(failed(new IllegalStateException()).reason()).isEmpty();
    }

    @Test
    void aSetSaysTheFirstReason() {
        ChildSetResult<ConfigMap> result = new ChildSetResult<>(List.of(
                new ChildSetResult.Entry<>("a", WELL),
                new ChildSetResult.Entry<>("b", failed(new IllegalStateException("not the API's"))),
                new ChildSetResult.Entry<>("c", forbidden("no quota")),
                new ChildSetResult.Entry<>("d", failed(ApiException.of(Status.of(422, "Invalid", "no"))))));

        assertThat(result.reason()).isEqualTo("Forbidden");
    }

    @Test
    void aSetSaysEachMessageOnce() {
        ChildSetResult<ConfigMap> result = new ChildSetResult<>(List.of(
                new ChildSetResult.Entry<>("a", failed(new IllegalStateException("first"))),
                new ChildSetResult.Entry<>("b", WELL),
                new ChildSetResult.Entry<>("c", failed(new IllegalStateException("second"))),
                new ChildSetResult.Entry<>("d", failed(new IllegalStateException("first")))));

        assertThat(result.message()).isEqualTo("first; second");
    }
}
