package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The built-in groups and resources: {@code resources.txt}, parsed at once because every discovery document needs it.
 *
 * <p>Cells are separated by tabs. {@code G name versions} is a group, in the order of {@code /apis}. {@code R} is a
 * resource: group, version, plural, kind, list kind, singular, short names, categories, flags, verbs ({@code *} is
 * all), definition, storage version hash, reset fields, status reset fields, field selectors, then one cell for each
 * subresource: name, group, version, kind, verbs, separated by spaces. {@code C group/version/plural} holds the columns
 * of a table: name, type, format, priority, separated by bars. Flags: n namespaced, d served by default, s has status,
 * g generation, c create on update, u unconditional update, o delete returns the object, p pending after delete.
 */
final class ResourceTable {
    static final ResourceTable INSTANCE = new ResourceTable();

    private final List<BuiltinGroup> groups = new ArrayList<>();
    private final Map<String, BuiltinResource> resources = new LinkedHashMap<>();
    private final Map<String, String[]> columns = new HashMap<>();

    private ResourceTable() {
        String text = FactTable.read("resources.txt");
        for (int start = 0, end; start < text.length(); start = end + 1) {
            end = text.indexOf('\n', start);
            String line = text.substring(start, end);
            String[] cells = line.split("\t", -1);
            switch (cells[0]) {
                case "G" -> groups.add(new BuiltinGroup(cells[1], words(cells[2])));
                case "R" -> {
                    BuiltinResource resource = resource(cells);
                    resources.put(key(resource.group(), resource.version(), resource.plural()), resource);
                }
                case "C" -> columns.put(cells[1], cells);
                default -> throw new IllegalStateException("resources.txt: " + line);
            }
        }
    }

    /** Returns the groups in the order of {@code /apis}, core first; those without a served version are left out. */
    List<BuiltinGroup> groups() {
        return groups;
    }

    /** Returns all resources of all versions, served or not. */
    Iterable<BuiltinResource> resources() {
        return resources.values();
    }

    @Nullable
    BuiltinResource find(String group, String version, String plural) {
        return resources.get(key(group, version, plural));
    }

    /** Returns the columns of a resource: name, type, format, priority, separated by bars. */
    List<String> columns(BuiltinResource resource) {
        String[] cells = columns.get(key(resource.group(), resource.version(), resource.plural()));
        return cells == null ? List.of() : List.of(cells).subList(2, cells.length);
    }

    private static String key(String group, String version, String plural) {
        return group.isEmpty() ? version + "/" + plural : group + "/" + version + "/" + plural;
    }

    private static BuiltinResource resource(String[] cells) {
        String flags = cells[9];
        List<Subresource> subresources = new ArrayList<>();
        for (int i = 16; i < cells.length; i++) {
            String[] parts = cells[i].split(" ", -1);
            subresources.add(new Subresource(
                    parts[0], parts[1], parts[2], parts[3], List.of(parts).subList(4, parts.length)));
        }
        return new BuiltinResource(
                cells[1],
                cells[2],
                cells[3],
                cells[4],
                cells[5],
                cells[6],
                words(cells[7]),
                words(cells[8]),
                flags.contains("n"),
                flags.contains("d"),
                cells[10].equals("*") ? ResourceType.Rules.ALL_VERBS : words(cells[10]),
                List.copyOf(subresources),
                cells[12],
                cells[11],
                flags.contains("s"),
                flags.contains("g"),
                flags.contains("c"),
                flags.contains("u"),
                flags.contains("o"),
                flags.contains("p"),
                words(cells[13]),
                words(cells[14]),
                words(cells[15]));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    }
}
