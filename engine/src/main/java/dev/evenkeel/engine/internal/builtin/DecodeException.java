package dev.evenkeel.engine.internal.builtin;

/**
 * A value does not fit the type it is read as. The message is what Go's decoder says, such as
 * {@code json: cannot unmarshal number into Go struct field ConfigMap.data of type string}; whoever knows the request
 * puts its sentence around it.
 */
public final class DecodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DecodeException(String message) {
        super(message);
    }
}
