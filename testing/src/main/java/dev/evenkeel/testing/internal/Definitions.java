package dev.evenkeel.testing.internal;

import dev.evenkeel.client.Manifests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The CustomResourceDefinitions that tests are given. */
public final class Definitions {
    private Definitions() {}

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("definitions: " + file.toAbsolutePath() + " cannot be read", e);
        }
    }

    /** Returns the definitions of a YAML text, which may have no other objects. */
    public static List<GenericKubernetesResource> parse(String yaml) {
        List<GenericKubernetesResource> definitions = Manifests.parse(yaml);
        for (GenericKubernetesResource object : definitions) {
            if (!object.getKind().equals("CustomResourceDefinition")) {
                throw new IllegalArgumentException("definitions: " + object.getKind()
                        + " is not a CustomResourceDefinition: add objects with given(...)");
            }
        }
        return definitions;
    }
}
