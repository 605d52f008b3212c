package dev.evenkeel.check.internal.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.check.internal.script.ScriptObject;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The state in which all runs begin, made once: each run has a fork of it, with equal uids of the given objects. */
public final class PreparedCluster implements AutoCloseable {
    private final Engine engine = Engine.create();
    private final List<Map<String, Object>> custom = new ArrayList<>();
    private final Set<String> names = new TreeSet<>();

    /**
     * Creates the definitions and the given objects.
     *
     * @param definitions files and directories with CustomResourceDefinitions
     * @param given files and directories with objects
     * @throws IllegalArgumentException when a file is malformed or an object is refused; the message names the file
     */
    public PreparedCluster(List<Path> definitions, List<Path> given) {
        this(definitions, given, Set.of());
    }

    /**
     * Creates the definitions and the given objects, except some.
     *
     * @param missing the objects that are not created
     * @throws IllegalArgumentException when a file is malformed or an object is refused; the message names the file
     */
    public PreparedCluster(List<Path> definitions, List<Path> given, Set<ScriptObject> missing) {
        try (ClusterAccess cluster = new ClusterAccess(engine)) {
            Map<String, String> defined = new HashMap<>();
            for (Manifest manifest : read(definitions)) {
                manifest.create(cluster);
                if (manifest.kind().equals("CustomResourceDefinition")
                        && manifest.object().get("spec") instanceof Map<?, ?> spec
                        && spec.get("names") instanceof Map<?, ?> called) {
                    String resource = called.get("plural") + "." + spec.get("group");
                    defined.put(spec.get("group") + "/" + called.get("kind"), resource);
                }
            }
            List<Manifest> objects = new ArrayList<>(read(given));
            objects.removeIf(one -> missing.contains(ScriptObject.of(one.object())));
            objects.sort(Comparator.comparing(one -> !one.kind().equals("Namespace")));
            for (Manifest manifest : objects) {
                manifest.create(cluster);
                String group =
                        String.valueOf(manifest.object().get("apiVersion")).replaceAll("/.*", "");
                String resource = defined.get(group + "/" + manifest.kind());
                if (resource != null) {
                    custom.add(manifest.object());
                    names.add(resource + " " + cluster.key(manifest.object()));
                }
            }
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /** An object in a file. */
    private record Manifest(Path file, Map<String, Object> object) {
        String kind() {
            return String.valueOf(object.get("kind"));
        }

        void create(ClusterAccess cluster) {
            try {
                cluster.create(object);
            } catch (ApiException | IllegalArgumentException e) {
                throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
            }
        }
    }

    private static List<Manifest> read(List<Path> paths) {
        List<Manifest> all = new ArrayList<>();
        for (Path path : paths) {
            for (Path file : files(path)) {
                try {
                    for (Object document :
                            new Load(LoadSettings.builder().build()).loadAllFromString(Files.readString(file, UTF_8))) {
                        if (document != null) {
                            addTo(all, file, document);
                        }
                    }
                } catch (YamlEngineException e) {
                    throw new IllegalArgumentException(file + ": not YAML: " + e.getMessage(), e);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return all;
    }

    private static void addTo(List<Manifest> all, Path file, Object document) {
        if (!(document instanceof Map<?, ?> map) || map.get("kind") == null || map.get("apiVersion") == null) {
            throw new IllegalArgumentException(file + ": an object needs apiVersion and kind");
        }
        if (map.get("items") instanceof List<?> items
                && String.valueOf(map.get("kind")).endsWith("List")) {
            items.forEach(item -> addTo(all, file, item));
            return;
        }
        if (!(map.get("metadata") instanceof Map<?, ?>)) {
            throw new IllegalArgumentException(file + ": an object needs metadata");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((name, value) -> object.put(String.valueOf(name), value));
        all.add(new Manifest(file, object));
    }

    private static List<Path> files(Path path) {
        if (!Files.isDirectory(path)) {
            if (!Files.exists(path)) {
                throw new IllegalArgumentException(path + ": no such file or directory");
            }
            return List.of(path);
        }
        try (Stream<Path> files = Files.list(path)) {
            List<Path> found = files.filter(file -> file.toString().matches(".*\\.(yaml|yml|json)"))
                    .sorted()
                    .toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException(path + ": has no files that end with .yaml, .yml or .json");
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the given objects of the defined kinds. */
    public List<Map<String, Object>> custom() {
        return List.copyOf(custom);
    }

    /** Returns the names of the given objects of the defined kinds, such as {@code boards.example.com default/news}. */
    Set<String> names() {
        return Collections.unmodifiableSet(names);
    }

    Engine fork() {
        return engine.fork().build();
    }

    @Override
    public void close() {
        engine.close();
    }
}
