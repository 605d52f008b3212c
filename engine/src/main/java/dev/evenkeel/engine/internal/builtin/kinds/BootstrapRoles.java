package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The default roles and their bindings of a fresh server with access control: for people and their tools, for nodes and
 * add-ons, and for the controllers of Kubernetes, which may run against this server.
 *
 * <p>They are a table, {@code roles.txt} next to the fact tables, which is read for each partition and then forgotten.
 */
public final class BootstrapRoles {
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String UPDATE = "rbac.authorization.kubernetes.io/autoupdate";
    private static final String AGGREGATE = "rbac.authorization.k8s.io/aggregate-to-";
    private static final String CONTROLLER = "system:controller:";

    private final List<JsonObject> roles = new ArrayList<>();
    private final List<@Nullable Object> rules = new ArrayList<>();

    private BootstrapRoles() {}

    /** Returns fresh trees, as a user would send them, in the order of their creation. */
    public static List<JsonObject> all() {
        BootstrapRoles table = new BootstrapRoles();
        try (InputStream in = BuiltinTypes.class.getResourceAsStream("roles.txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            text.lines().filter(line -> !line.startsWith("#")).forEach(table::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        table.end();
        return table.roles;
    }

    /** Returns true if a role or binding may be brought up to date. */
    public static boolean updated(JsonObject object) {
        return !object.string("metadata", "annotations", UPDATE).equals("false");
    }

    private void read(String line) {
        String[] cells = line.split("\t", -1);
        if (cells[0].isEmpty()) {
            rules.add(
                    new PolicyRule(words(cells, 1), words(cells, 2), words(cells, 3), words(cells, 5), words(cells, 4))
                            .tree());
            return;
        }
        end();
        switch (cells[0]) {
            case "role" -> roles.add(role(cells[1], cell(cells, 2), cell(cells, 3)));
            case "controller" -> {
                String name = CONTROLLER + cells[1];
                roles.add(binding(name, name, List.of("account:" + cells[1])));
                roles.add(role(name, "", ""));
            }
            default -> roles.add(binding(cells[1], cells[2], words(cells, 3)));
        }
    }

    /** Ends the rules of a role: those that were read since belong to the last one. */
    private void end() {
        if (!rules.isEmpty()) {
            roles.getLast().put("rules", new ArrayList<>(rules));
            rules.clear();
        }
    }

    /** Returns a role that is aggregated to one role, from roles that are aggregated to it. */
    private static JsonObject role(String name, String to, String from) {
        JsonObject role = object("Role", name);
        if (!to.isEmpty()) {
            role.object("metadata").object("labels").put(AGGREGATE + to, "true");
        }
        if (!from.isEmpty()) {
            JsonObject selector = JsonObject.of("matchLabels", JsonObject.of(AGGREGATE + from, "true"));
            role.put("aggregationRule", JsonObject.of("clusterRoleSelectors", Trees.items(selector)));
        }
        return role;
    }

    private static JsonObject binding(String name, String role, List<String> subjects) {
        JsonObject binding = object("RoleBinding", name);
        String kind = binding.string("kind").startsWith("Cluster") ? "ClusterRole" : "Role";
        List<@Nullable Object> trees = new ArrayList<>();
        subjects.forEach(subject -> trees.add(subject(subject)));
        return binding.setUnlessEmpty("subjects", trees)
                .set("roleRef", JsonObject.of("apiGroup", RBAC, "kind", kind, "name", role));
    }

    private static JsonObject subject(String subject) {
        String name = subject.substring(subject.indexOf(':') + 1);
        return switch (subject.charAt(0)) {
            case 'a' -> JsonObject.of("kind", "ServiceAccount", "name", name, "namespace", "kube-system");
            case 'g' -> JsonObject.of("kind", "Group", "apiGroup", RBAC, "name", name);
            default -> JsonObject.of("kind", "User", "apiGroup", RBAC, "name", name);
        };
    }

    /** Returns an object with the metadata of a default; one without a namespace is of the kind for the cluster. */
    private static JsonObject object(String kind, String name) {
        int slash = name.indexOf('/');
        JsonObject metadata = JsonObject.of("name", name.substring(slash + 1))
                .setUnlessEmpty("namespace", slash < 0 ? null : name.substring(0, slash))
                .set("labels", JsonObject.of("kubernetes.io/bootstrapping", "rbac-defaults"))
                .set("annotations", JsonObject.of(UPDATE, "true"));
        return JsonObject.of("apiVersion", RBAC + "/v1", "kind", slash < 0 ? "Cluster" + kind : kind)
                .set("metadata", metadata);
    }

    private static String cell(String[] cells, int index) {
        return index < cells.length ? cells[index] : "";
    }

    /** Returns the words of a cell; a minus sign stands for the empty word. */
    private static List<String> words(String[] cells, int index) {
        String cell = cell(cells, index);
        if (cell.isEmpty()) {
            return List.of();
        }
        List<String> words = new ArrayList<>();
        for (String word : cell.split(" ", -1)) {
            words.add(word.equals("-") ? "" : word);
        }
        return words;
    }
}
