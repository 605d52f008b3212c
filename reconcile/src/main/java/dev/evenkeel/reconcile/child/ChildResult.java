package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.reconcile.manage.ObjectManager;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of one child.
 *
 * @param child the existing object; empty when it does not exist
 * @param error the reason why it is not as desired; empty when it is
 * @param <C> class of the child
 */
public record ChildResult<C extends HasMetadata>(Optional<C> child, Optional<RuntimeException> error) {
    /**
     * Returns the API's reason of the error, such as {@code Forbidden}, for conditions; empty for other errors, or
     * none.
     */
    public String reason() {
        return error.flatMap(ObjectManager::refusal).map(ApiException::reason).orElse("");
    }

    /** Returns the message of the error, for conditions; empty when there is none. */
    public String message() {
        return error.map(ChildResult::text).orElse("");
    }

    static String text(RuntimeException error) {
        return Objects.requireNonNullElseGet(error.getMessage(), error::toString);
    }
}
