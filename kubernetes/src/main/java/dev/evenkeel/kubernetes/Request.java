package dev.evenkeel.kubernetes;

import dev.evenkeel.client.Fence;
import dev.evenkeel.client.PatchType;
import java.util.Optional;

/**
 * A request.
 *
 * @param path with its query
 * @param accept which form of the answer is wanted
 * @param contentType of the body; empty for none
 */
record Request(
        String method,
        String path,
        String accept,
        String contentType,
        byte[] body,
        Optional<Fence> fence,
        boolean large) {
    static final String JSON = "application/json";
    private static final byte[] NOTHING = {};

    static Request get(String path, String accept) {
        return new Request("GET", path, accept, "", NOTHING, Optional.empty(), false);
    }

    static Request write(String method, String path, String contentType, byte[] body, Optional<Fence> fence) {
        return new Request(method, path, JSON, contentType, body, fence, false);
    }

    /** The same, with an answer that may be worth compressing. */
    Request asLarge() {
        return new Request(method, path, accept, contentType, body, fence, true);
    }

    boolean reads() {
        return method.equals("GET");
    }

    /** Whether it has the same effect when done twice. */
    boolean repeatable() {
        return switch (method) {
            case "GET", "PUT", "DELETE" -> true;
            default -> contentType.equals(PatchType.APPLY.mediaType());
        };
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
