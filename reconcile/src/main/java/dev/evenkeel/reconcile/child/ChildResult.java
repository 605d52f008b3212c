package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.reconcile.manage.ObjectManager;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.Optional;

/**
 * What came of one child.
 *
 * @param child as it is there; empty when it does not exist
 * @param error why it is not as it should be; empty when it is
 * @param <C> class of the child
 */
public record ChildResult<C extends HasMetadata>(Optional<C> child, Optional<RuntimeException> error) {
    /** The API's word for the error, such as {@code Forbidden}, for conditions; empty when it was not the API, or none. */
    public String reason() {
        return error.flatMap(ObjectManager::refusal).map(ApiException::reason).orElse("");
    }

    /** The error for humans, for conditions; empty when it does not exist. */
    public String message() {
        return error.map(ChildResult::text).orElse("");
    }

    static String text(RuntimeException error) {
        return Objects.requireNonNullElseGet(error.getMessage(), error::toString);
    }
}
