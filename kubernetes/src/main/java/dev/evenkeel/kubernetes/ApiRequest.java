package dev.evenkeel.kubernetes;

import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.internal.retry.Attempts.Repeat;
import java.util.Optional;

/** A request; its path has the query, and the type of its body is empty for none. */
record ApiRequest(
        String method,
        String path,
        String accept,
        String contentType,
        byte[] body,
        Optional<Fence> fence,
        boolean large) {
    static final String JSON = "application/json";
    private static final byte[] NOTHING = {};

    static ApiRequest get(String path, String accept) {
        return new ApiRequest("GET", path, accept, "", NOTHING, Optional.empty(), false);
    }

    static ApiRequest write(String method, String path, String contentType, byte[] body, Optional<Fence> fence) {
        return new ApiRequest(method, path, JSON, contentType, body, fence, false);
    }

    /** Returns a copy whose answer may be worth compressing. */
    ApiRequest asLarge() {
        return new ApiRequest(method, path, accept, contentType, body, fence, true);
    }

    /** Returns the effect of sending it again. */
    Repeat repeat() {
        return switch (method) {
            case "GET" -> Repeat.READ;
            case "PUT", "DELETE" -> Repeat.SAME_EFFECT;
            default -> contentType.equals(Patch.Type.APPLY.mediaType()) ? Repeat.SAME_EFFECT : Repeat.NEVER;
        };
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
