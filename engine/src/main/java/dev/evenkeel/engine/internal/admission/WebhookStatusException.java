package dev.evenkeel.engine.internal.admission;

import java.io.IOException;

/** A webhook has answered with a status other than 200. */
public final class WebhookStatusException extends IOException {
    private static final long serialVersionUID = 1;

    private final int code;

    /** Creates an exception for a status. */
    public WebhookStatusException(int code, String message) {
        super(message);
        this.code = code;
    }

    /** Returns the status. */
    public int code() {
        return code;
    }
}
