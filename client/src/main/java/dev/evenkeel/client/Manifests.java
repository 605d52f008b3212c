package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Objects written down in YAML, as people keep them in files. */
public final class Manifests {
    private Manifests() {}

    /**
     * The objects of a YAML text of any number of documents; empty ones do not count. JSON is YAML too.
     *
     * @throws IllegalArgumentException when a document is no object with apiVersion, kind and a name; says which
     */
    public static List<GenericKubernetesResource> parse(String yaml) {
        List<GenericKubernetesResource> objects = new ArrayList<>();
        int number = 0;
        try {
            for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
                number++;
                if (document != null) {
                    objects.add(object(document, number));
                }
            }
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException(
                    "document " + (number + 1) + " of the manifest is no YAML: " + e.getMessage(), e);
        }
        return objects;
    }

    private static GenericKubernetesResource object(Object document, int number) {
        if (!(document instanceof Map<?, ?> tree)) {
            throw new IllegalArgumentException("document " + number + " of the manifest is no object");
        }
        for (String field : List.of("apiVersion", "kind", "metadata")) {
            if (tree.get(field) == null) {
                throw new IllegalArgumentException("document " + number + " of the manifest has no " + field);
            }
        }
        GenericKubernetesResource object = ModelCodec.fromTree(tree, GenericKubernetesResource.class);
        if (ObjectKey.of(object).name().isEmpty()) {
            throw new IllegalArgumentException("document " + number + " of the manifest has no metadata.name");
        }
        return object;
    }
}
