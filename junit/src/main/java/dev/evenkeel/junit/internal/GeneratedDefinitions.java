package dev.evenkeel.junit.internal;

import dev.evenkeel.client.Manifests;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes definitions from classes by fabric8's generator, if that is on the class path. */
public final class GeneratedDefinitions {
    private GeneratedDefinitions() {}

    /**
     * Returns the definitions of these classes.
     *
     * @throws IllegalStateException when the generator is not on the class path, or a class is not a custom resource
     */
    public static List<GenericKubernetesResource> of(Collection<Class<? extends HasMetadata>> types) {
        try {
            return Generator.run(types);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException(
                    "definitions of classes need fabric8's generator: add the dependency io.fabric8:crd-generator-api-v2"
                            + " in test scope, or give the definitions as YAML",
                    e);
        }
    }

    /** Loaded when it is needed. */
    private static final class Generator {
        static List<GenericKubernetesResource> run(Collection<Class<? extends HasMetadata>> types) {
            Output output = new Output();
            var made = new CRDGenerator()
                    .customResourceClasses(List.copyOf(types))
                    .forCRDVersions("v1")
                    .withOutput(output)
                    .detailedGenerate();
            if (made.numberOfGeneratedCRDs() < types.size()) {
                throw new IllegalStateException("no definitions could be made of all of " + types
                        + ": each must be a CustomResource with @Group and @Version");
            }
            return output.texts.values().stream()
                    .flatMap(text -> Manifests.parse(text.toString(StandardCharsets.UTF_8)).stream())
                    .toList();
        }
    }

    private static final class Output implements CRDGenerator.CRDOutput<OutputStream> {
        private final Map<String, ByteArrayOutputStream> texts = new LinkedHashMap<>();

        @Override
        public OutputStream outputFor(String name) {
            return texts.computeIfAbsent(name, each -> new ByteArrayOutputStream());
        }

        @Override
        public void close() {}
    }
}
