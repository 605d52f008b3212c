package dev.evenkeel.junit.internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A request of a client in this process.
 *
 * @param path the encoded path, which begins with a slash
 * @param query the encoded query; empty if there is none
 * @param headers the headers, with {@code Content-Type} if there is a body
 * @param body reads the body, once
 */
record LocalRequest(
        String method,
        String host,
        int port,
        String path,
        String query,
        Map<String, List<String>> headers,
        Optional<Supplier<byte[]>> body) {}
