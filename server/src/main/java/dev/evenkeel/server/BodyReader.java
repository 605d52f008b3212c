package dev.evenkeel.server;

import dev.evenkeel.client.PatchType;
import dev.evenkeel.engine.Body;
import dev.evenkeel.engine.Target;
import dev.evenkeel.engine.type.ResourceType.Origin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;

/**
 * Bodies of requests: their bytes, within limits of size and time, and their format by media type. The one place to
 * learn further formats.
 */
final class BodyReader {
    private final ServerLimits limits;

    BodyReader(ServerLimits limits) {
        this.limits = limits;
    }

    /** The body of a create or update; without a media type it is taken for JSON. */
    Body object(Call call) {
        String contentType = call.header("Content-Type");
        Body.Format format = format(contentType);
        return new Body(bytes(call), format);
    }

    private static Body.Format format(String contentType) {
        if (contentType.isEmpty() || contentType.equals("application/json")) {
            return Body.Format.JSON;
        }
        return switch (MediaType.parse(contentType).essence()) {
            case "application/json" -> Body.Format.JSON;
            case "application/yaml" -> Body.Format.YAML;
            case "application/vnd.kubernetes.protobuf" -> throw Failures.protobuf();
            default -> throw Failures.unknownBody(Failures.ACCEPTED_BODIES);
        };
    }

    /** How the body of a patch of this resource is to be read. */
    PatchType patchType(Call call, Target target) {
        boolean builtIn = target.type().origin() == Origin.BUILT_IN;
        return PatchType.of(call.header("Content-Type"))
                .filter(type -> builtIn || type != PatchType.STRATEGIC)
                .orElseThrow(
                        () -> builtIn
                                ? dev.evenkeel.client.ApiException.of(dev.evenkeel.client.Status.of(
                                        415,
                                        "UnsupportedMediaType",
                                        "415: Unsupported Media Type",
                                        dev.evenkeel.client.StatusDetails.EMPTY))
                                : Failures.unknownBody(
                                        "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"));
    }

    /** The body of a patch. */
    Body patch(Call call, PatchType type) {
        return new Body(bytes(call), type == PatchType.APPLY ? Body.Format.YAML : Body.Format.JSON);
    }

    /** All bytes of the body. */
    byte[] bytes(Call call) {
        Request request = call.request();
        int limit = limits.maxBodyBytes();
        long length = request.getLength();
        if (length > limit) {
            discard(request, length);
            throw Failures.tooLarge(limit);
        }
        if (length == 0) {
            return new byte[0];
        }
        try {
            return length > 0 ? known(request, (int) length) : unknown(request, limit);
        } catch (IOException e) {
            if (e.getCause() instanceof TimeoutException || e instanceof java.io.InterruptedIOException) {
                throw Failures.of(408, "Timeout", "the body of the request did not arrive in time");
            }
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads what is not much too large and forgets it: a client that still writes when the connection closes does not see
     * the refusal.
     */
    private void discard(Request request, long length) {
        if (length > 2L * limits.maxBodyBytes()) {
            return;
        }
        long start = System.nanoTime();
        try {
            boolean last = false;
            while (!last) {
                Content.Chunk chunk = next(request, start);
                last = chunk.isLast();
                chunk.release();
            }
        } catch (IOException e) {
            // it is refused in any case
        }
    }

    private byte[] known(Request request, int length) throws IOException {
        byte[] bytes = new byte[length];
        int read = 0;
        long start = System.nanoTime();
        while (read < length) {
            Content.Chunk chunk = next(request, start);
            int n = Math.min(chunk.remaining(), length - read);
            chunk.getByteBuffer().get(bytes, read, n);
            read += n;
            boolean last = chunk.isLast();
            chunk.release();
            if (last && read < length) {
                throw new IOException("the body ended early");
            }
        }
        return bytes;
    }

    private byte[] unknown(Request request, int limit) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
        long start = System.nanoTime();
        while (true) {
            Content.Chunk chunk = next(request, start);
            byte[] bytes = new byte[chunk.remaining()];
            chunk.getByteBuffer().get(bytes);
            boolean last = chunk.isLast();
            chunk.release();
            if (out.size() + bytes.length > limit) {
                throw Failures.tooLarge(limit);
            }
            out.writeBytes(bytes);
            if (last) {
                return out.toByteArray();
            }
        }
    }

    /** The next piece, waiting for it; the whole body must arrive in time, however small its pieces. */
    private Content.Chunk next(Request request, long start) throws IOException {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                if (System.nanoTime() - start > limits.bodyTimeout().toNanos()) {
                    throw new java.io.InterruptedIOException("slow body");
                }
                try (var blocker = org.eclipse.jetty.util.Blocker.runnable()) {
                    request.demand(blocker);
                    blocker.block();
                }
            } else if (Content.Chunk.isFailure(chunk)) {
                throw new IOException(chunk.getFailure());
            } else {
                return chunk;
            }
        }
    }
}
