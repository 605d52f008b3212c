package dev.evenkeel.server.internal.openapi;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * The descriptions of built-in definitions and of their fields, which the build takes from artifacts of the official Java
 * client, see {@code Descriptions.java}. They are the work of the Kubernetes authors, under the Apache License 2.0.
 *
 * <p>Read when the first OpenAPI document is created; about 1 MB.
 */
final class BuiltinDescriptions {
    private static final String FILE = "descriptions.gz";

    /** A kind with the fields that all kinds have. */
    private static final String TYPICAL = "io.k8s.api.core.v1.Pod";

    private static final class Holder {
        static final Map<String, String> TEXTS = read();
    }

    private BuiltinDescriptions() {}

    /** Returns the description of a definition; empty when there is none. */
    static String of(String definition) {
        return Holder.TEXTS.getOrDefault(definition, "");
    }

    /** Returns the description of a field of a definition; empty when there is none. */
    static String of(String definition, String field) {
        return Holder.TEXTS.getOrDefault(definition + "#" + field, "");
    }

    /** Returns the description of {@code apiVersion}, {@code kind} or {@code metadata} of any kind. */
    static String ofKinds(String field) {
        return of(TYPICAL, field);
    }

    /** Returns the description of {@code metadata} of any list. */
    static String ofListMetadata() {
        return of(TYPICAL + "List", "metadata");
    }

    private static Map<String, String> read() {
        Map<String, String> texts = new HashMap<>(8192);
        try (InputStream file = BuiltinDescriptions.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException("not on the class path: " + FILE);
            }
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(new GZIPInputStream(file), StandardCharsets.UTF_8));
            String definition = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                boolean field = line.startsWith("\t");
                int end = line.indexOf('\t', 1);
                String name = line.substring(field ? 1 : 0, end);
                definition = field ? definition : name;
                texts.put(
                        field ? definition + "#" + name : name,
                        line.substring(end + 1).translateEscapes());
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
