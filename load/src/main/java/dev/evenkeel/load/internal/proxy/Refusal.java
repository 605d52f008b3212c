package dev.evenkeel.load.internal.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.evenkeel.client.Status;

/**
 * An answer of the proxy itself, in the form of an API server.
 *
 * @param status the status code
 * @param message the reason, for humans
 */
record Refusal(int status, String message) {
    /** Returns whether the client should try again. */
    boolean retried() {
        return status == 429 || status == 503;
    }

    /** Returns the body: a Status in JSON. */
    byte[] body() {
        var text = JsonNodeFactory.instance
                .objectNode()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("message", message)
                .put("reason", Status.reasonOf(status))
                .put("code", status);
        text.putObject("metadata");
        if (retried()) {
            text.putObject("details").put("retryAfterSeconds", 1);
        }
        return text.toString().getBytes(UTF_8);
    }
}
