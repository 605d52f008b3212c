package dev.evenkeel.junit.internal;

import dev.evenkeel.client.Manifests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads objects from YAML: a resource of the class path or a file, or all those of a directory. */
public final class Manifest {
    /** The directory that fabric8's generator of definitions writes to. */
    private static final String GENERATED = "META-INF/fabric8";

    private Manifest() {}

    /**
     * Reads the objects of a resource, a file or a directory.
     *
     * @throws IllegalArgumentException when there is none of that name, or it is not YAML of objects
     */
    public static List<GenericKubernetesResource> read(ClassLoader loader, String name) {
        String resource = name.startsWith("/") ? name.substring(1) : name;
        List<GenericKubernetesResource> objects = new ArrayList<>();
        boolean found = false;
        for (URL url : resources(loader, resource)) {
            objects.addAll(read(url));
            found = true;
        }
        if (!found && Files.exists(Path.of(name))) {
            objects.addAll(read(Path.of(name)));
            found = true;
        }
        if (!found) {
            throw new IllegalArgumentException("manifest \"" + name
                    + "\" is neither a resource on the class path nor a file; directory of files: "
                    + Path.of("").toAbsolutePath());
        }
        return objects;
    }

    /** Reads the definitions that fabric8's generator has written on the class path. */
    public static List<GenericKubernetesResource> generated(ClassLoader loader) {
        List<GenericKubernetesResource> objects = new ArrayList<>();
        for (URL url : resources(loader, GENERATED)) {
            read(url).stream()
                    .filter(object -> object.getKind().equals("CustomResourceDefinition")
                            && object.getApiVersion().equals("apiextensions.k8s.io/v1"))
                    .forEach(objects::add);
        }
        return objects;
    }

    private static List<URL> resources(ClassLoader loader, String name) {
        try {
            List<URL> urls = new ArrayList<>();
            for (Enumeration<URL> found = loader.getResources(name); found.hasMoreElements(); ) {
                urls.add(found.nextElement());
            }
            return urls;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<GenericKubernetesResource> read(URL url) {
        try {
            URI uri = url.toURI();
            if (!uri.getScheme().equals("jar")) {
                return read(Path.of(uri));
            }
            try (FileSystem opened = FileSystems.newFileSystem(uri, Map.of())) {
                return read(opened.provider().getPath(uri));
            } catch (FileSystemAlreadyExistsException e) {
                return read(Path.of(uri));
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(url + " is not a URI", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<GenericKubernetesResource> read(Path path) {
        try {
            if (!Files.isDirectory(path)) {
                return parse(path);
            }
            try (Stream<Path> files = Files.list(path)) {
                return files.filter(file -> file.toString().matches(".*\\.(ya?ml|json)"))
                        .sorted()
                        .flatMap(file -> parse(file).stream())
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<GenericKubernetesResource> parse(Path file) {
        try {
            return Manifests.parse(Files.readString(file));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
