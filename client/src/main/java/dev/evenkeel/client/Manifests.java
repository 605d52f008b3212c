package dev.evenkeel.client;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/** Reads and writes objects in YAML. */
public final class Manifests {
    private static final DumpSettings WRITING = DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setExplicitStart(true)
            .setSplitLines(false)
            .build();

    private Manifests() {}

    /**
     * The objects of a YAML text of any number of documents; empty ones do not count. JSON is YAML too.
     *
     * @throws IllegalArgumentException when a document is not an object with apiVersion, kind and a name; the message
     *     names it
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
                    "document " + (number + 1) + " of the manifest is not YAML: " + e.getMessage(), e);
        }
        return objects;
    }

    /**
     * Returns the objects as a YAML text, one document each. Text that a reader might take for another type is quoted.
     */
    public static String text(List<? extends HasMetadata> objects) {
        return new Dump(WRITING, new Writer())
                .dumpAllToString(
                        objects.stream().<Object>map(ModelCodec::toTree).iterator());
    }

    /**
     * Decides how text is written: the library knows YAML 1.2, and Kubernetes reads 1.1, with more words for true and
     * false.
     */
    private static final class Writer extends StandardRepresenter {
        private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][-A-Za-z0-9_./ ]*+");
        private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

        Writer() {
            super(WRITING);
            representers.put(String.class, text -> scalar((String) text));
        }

        private Node scalar(String text) {
            boolean plain = PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT));
            ScalarStyle quoted = text.contains("\n") ? ScalarStyle.LITERAL : ScalarStyle.DOUBLE_QUOTED;
            return representScalar(Tag.STR, text, plain ? ScalarStyle.PLAIN : quoted);
        }
    }

    private static GenericKubernetesResource object(Object document, int number) {
        if (!(document instanceof Map<?, ?> tree)) {
            throw new IllegalArgumentException("document " + number + " of the manifest is not an object");
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
