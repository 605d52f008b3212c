package dev.evenkeel.engine.internal.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalTest {
    /** The message names each error once, where it is first found; the causes are all errors, as they were found. */
    @Test
    void repeatedErrorsAreFoldedInTheMessageOnly() {
        FieldError second = FieldError.invalid("spec.b", 1L, "must be 2");
        FieldError first = FieldError.invalid("spec.a", 1L, "must be 2");
        FieldError other = FieldError.invalid("spec.b", 3L, "must be 2");
        ApiException refusal =
                Refusal.invalid("example.com", "Thing", "t", List.of(second, first, second, other, first));
        assertThat(refusal)
                .hasMessage("Thing.example.com \"t\" is invalid: [spec.b: Invalid value: 1: must be 2,"
                        + " spec.a: Invalid value: 1: must be 2, spec.b: Invalid value: 3: must be 2]");
        assertThat(refusal.status().details().orElseThrow().causes())
                .extracting(Status.Cause::field)
                .containsExactly("spec.b", "spec.a", "spec.b", "spec.b", "spec.a");
    }

    @Test
    void oneErrorFoundTwiceStandsWithoutBrackets() {
        FieldError error = FieldError.invalid("spec.a", 1L, "must be 2");
        ApiException refusal = Refusal.invalid("", "Pod", "p", List.of(error, error));
        assertThat(refusal).hasMessage("Pod \"p\" is invalid: spec.a: Invalid value: 1: must be 2");
        assertThat(refusal.status().details().orElseThrow().causes()).hasSize(2);
    }
}
