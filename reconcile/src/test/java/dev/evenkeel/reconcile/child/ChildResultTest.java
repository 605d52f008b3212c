package dev.evenkeel.reconcile.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChildResultTest {
    private static final ChildReconciler.ChildResult<ConfigMap> WELL =
            new ChildReconciler.ChildResult<>(Optional.empty(), Optional.empty());

    private static ChildReconciler.ChildResult<ConfigMap> failed(RuntimeException error) {
        return new ChildReconciler.ChildResult<>(Optional.empty(), Optional.of(error));
    }

    private static ChildReconciler.ChildResult<ConfigMap> forbidden(String message) {
        return failed(ApiException.of(Status.of(403, "Forbidden", message)));
    }

    @Test
    void hasReasonAndMessageOfTheApi() {
        assertThat(forbidden("no quota").reason()).isEqualTo("Forbidden");
        assertThat(forbidden("no quota").message()).contains("no quota");
    }

    @Test
    void isEmptyWithoutAnError() {
        assertThat(WELL.reason()).isEmpty();
        assertThat(WELL.message()).isEmpty();
        ChildSetReconciler.ChildSetResult<ConfigMap> set = new ChildSetReconciler.ChildSetResult<>(
                List.of(new ChildSetReconciler.ChildSetResult.Entry<>("a", WELL)));
        assertThat(set.reason()).isEmpty();
        assertThat(set.message()).isEmpty();
    }

    @Test
    void anErrorWithoutAMessageIsNamed() {
        assertThat(failed(new IllegalStateException()).message()).isEqualTo("java.lang.IllegalStateException");
        assertThat(failed(new IllegalStateException()).reason()).isEmpty();
    }

    @Test
    void aSetHasTheFirstReason() {
        ChildSetReconciler.ChildSetResult<ConfigMap> result = new ChildSetReconciler.ChildSetResult<>(List.of(
                new ChildSetReconciler.ChildSetResult.Entry<>("a", WELL),
                new ChildSetReconciler.ChildSetResult.Entry<>("b", failed(new IllegalStateException("not the API's"))),
                new ChildSetReconciler.ChildSetResult.Entry<>("c", forbidden("no quota")),
                new ChildSetReconciler.ChildSetResult.Entry<>(
                        "d", failed(ApiException.of(Status.of(422, "Invalid", "no"))))));

        assertThat(result.reason()).isEqualTo("Forbidden");
    }

    @Test
    void aSetHasEachMessageOnce() {
        ChildSetReconciler.ChildSetResult<ConfigMap> result = new ChildSetReconciler.ChildSetResult<>(List.of(
                new ChildSetReconciler.ChildSetResult.Entry<>("a", failed(new IllegalStateException("first"))),
                new ChildSetReconciler.ChildSetResult.Entry<>("b", WELL),
                new ChildSetReconciler.ChildSetResult.Entry<>("c", failed(new IllegalStateException("second"))),
                new ChildSetReconciler.ChildSetResult.Entry<>("d", failed(new IllegalStateException("first")))));

        assertThat(result.message()).isEqualTo("first; second");
    }
}
