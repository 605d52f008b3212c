package dev.evenkeel.testing.object;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The classes of kinds: the built-in ones, and those registered as services of the model.
 *
 * <p>The files of the services list some four hundred classes. Loading them all to read their kinds would take longer
 * than most suites run, so of the model's own only those with the name of the kind are loaded.
 */
final class Registry {
    private static final String SERVICES = "META-INF/services/" + KubernetesResource.class.getName();
    private static final String MODEL = "io.fabric8.kubernetes.api.model.";

    private final ClassLoader loader;
    private final List<String> names;
    private final Map<String, Class<? extends HasMetadata>> found = new ConcurrentHashMap<>();

    Registry(ClassLoader loader) {
        this.loader = loader;
        this.names = names(loader);
    }

    private static List<String> names(ClassLoader loader) {
        List<String> names = new ArrayList<>();
        try {
            for (URL file : Collections.list(loader.getResources(SERVICES))) {
                try (InputStream in = file.openStream()) {
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .map(line -> line.contains("#") ? line.substring(0, line.indexOf('#')) : line)
                            .map(String::strip)
                            .filter(line -> !line.isEmpty())
                            .forEach(names::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(SERVICES + " cannot be read", e);
        }
        return names;
    }

    /** Returns the class of a kind; {@link GenericKubernetesResource} when none is registered. */
    Class<? extends HasMetadata> find(String apiVersion, String kind) {
        return found.computeIfAbsent(apiVersion + " " + kind, any -> {
            for (String name : names) {
                if (!name.startsWith(MODEL) || name.endsWith("." + kind)) {
                    Class<?> type = load(name);
                    if (HasMetadata.class.isAssignableFrom(type)
                            && apiVersion.equals(HasMetadata.getApiVersion(type))
                            && kind.equals(HasMetadata.getKind(type))) {
                        return type.asSubclass(HasMetadata.class);
                    }
                }
            }
            return GenericKubernetesResource.class;
        });
    }

    private Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(SERVICES + " names " + name + ", which cannot be loaded", e);
        }
    }
}
