package dev.evenkeel.check.internal.script;

import dev.evenkeel.testing.internal.convergence.ClusterState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The actions of the user during a run, and the rules of the comparison.
 *
 * @param steps the actions of each step; the controller settles after each
 * @param ignored what may differ between runs
 * @param always rules that hold at all times
 */
public record CheckScript(List<List<UserAction>> steps, List<IgnoreRule> ignored, List<Invariant> always) {
    private static final Set<String> FIELDS = Set.of("steps", "ignore", "always");
    private static final Set<String> ACTIONS = Set.of("apply", "merge", "delete");

    /** Copies the lists. */
    public CheckScript {
        steps = List.copyOf(steps);
        ignored = List.copyOf(ignored);
        always = List.copyOf(always);
    }

    /** Returns the script that deletes objects: of several of a kind first one alone, which must not harm the others. */
    public static CheckScript deletionOf(List<Map<String, Object>> objects) {
        Map<String, List<Map<String, Object>>> kinds = objects.stream()
                .collect(Collectors.groupingBy(
                        object -> object.get("apiVersion") + " " + object.get("kind"),
                        LinkedHashMap::new,
                        Collectors.toList()));
        List<UserAction> first = new ArrayList<>();
        List<UserAction> others = new ArrayList<>();
        kinds.values().forEach(several -> {
            for (int i = 0; i < several.size(); i++) {
                (i == 0 && several.size() > 1 ? first : others).add(new UserAction.Delete(several.get(i)));
            }
        });
        List<List<UserAction>> steps =
                Stream.of(first, others).filter(step -> !step.isEmpty()).toList();
        return new CheckScript(steps, List.of(), List.of());
    }

    /**
     * Reads the text of a specification.
     *
     * @param standard the steps if the text has none
     * @throws IllegalArgumentException when it is malformed; the message names the field
     */
    public static CheckScript parse(String yaml, CheckScript standard) {
        Object read;
        try {
            read = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("not YAML: " + e.getMessage(), e);
        }
        Map<String, Object> fields = map("the specification", read);
        known("", fields, FIELDS);
        List<List<UserAction>> steps = new ArrayList<>();
        List<Object> all = list("steps", fields.get("steps"));
        for (int i = 0; i < all.size(); i++) {
            steps.add(step("steps[" + i + "]", all.get(i)));
        }
        List<IgnoreRule> ignored = new ArrayList<>();
        for (Object rule : list("ignore", fields.get("ignore"))) {
            ignored.add(IgnoreRule.parse(String.valueOf(rule)));
        }
        List<Invariant> always = new ArrayList<>();
        List<Object> rules = list("always", fields.get("always"));
        for (int i = 0; i < rules.size(); i++) {
            String path = "always[" + i + "]";
            Map<String, Object> rule = map(path, rules.get(i));
            known(path, rule, Set.of("resource", "rule", "message"));
            always.add(new Invariant(
                    text(path + ".resource", rule.get("resource")),
                    text(path + ".rule", rule.get("rule")),
                    rule.get("message") == null ? "" : String.valueOf(rule.get("message"))));
        }
        return new CheckScript(fields.containsKey("steps") ? steps : standard.steps, ignored, always);
    }

    /** A step is one action, or a list of actions that are made without a rest between them. */
    private static List<UserAction> step(String path, @Nullable Object value) {
        List<UserAction> actions = new ArrayList<>();
        List<Object> parts = value instanceof List<?> ? list(path, value) : List.of(map(path, value));
        for (Object part : parts) {
            Map<String, Object> fields = map(path, part);
            known(path, fields, ACTIONS);
            if (fields.size() != 1) {
                throw new IllegalArgumentException(path + ": must be one of apply, merge and delete: " + fields);
            }
            fields.forEach((name, object) -> {
                Map<String, Object> tree = map(path + "." + name, object);
                for (String field : List.of("apiVersion", "kind", "metadata")) {
                    if (tree.get(field) == null) {
                        throw new IllegalArgumentException(path + "." + name + "." + field + ": is missing");
                    }
                }
                actions.add(
                        switch (name) {
                            case "apply" -> new UserAction.Apply(tree);
                            case "merge" -> new UserAction.Merge(tree);
                            default -> new UserAction.Delete(tree);
                        });
            });
        }
        return actions;
    }

    private static void known(String path, Map<String, Object> fields, Set<String> names) {
        fields.keySet().stream()
                .filter(name -> !names.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException((path.isEmpty() ? name : path + "." + name)
                            + ": unknown field; known are " + new TreeSet<>(names));
                });
    }

    private static String text(String path, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(path + ": is missing");
        }
        return String.valueOf(value);
    }

    private static Map<String, Object> map(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> fields = new LinkedHashMap<>();
            map.forEach((name, one) -> {
                if (one != null) {
                    fields.put(String.valueOf(name), one);
                }
            });
            return fields;
        }
        throw new IllegalArgumentException(path + " must be a mapping: " + value);
    }

    private static List<Object> list(String path, @Nullable Object value) {
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return List.copyOf(list);
        }
        throw new IllegalArgumentException(path + " must be a list: " + value);
    }

    /** Returns a script that also ignores what a rule says. */
    public CheckScript ignoring(String rule) {
        List<IgnoreRule> more = new ArrayList<>(ignored);
        more.add(IgnoreRule.parse(rule));
        return new CheckScript(steps, more, always);
    }

    /** Returns the first steps, without the actions on some objects: as if they did not exist. */
    public CheckScript before(int step, Set<ScriptObject> missing) {
        List<List<UserAction>> kept = steps.subList(0, step).stream()
                .map(actions -> actions.stream()
                        .filter(action -> !missing.contains(ScriptObject.of(action.object())))
                        .toList())
                .filter(actions -> !actions.isEmpty())
                .toList();
        return new CheckScript(kept, ignored, always);
    }

    /** Returns objects, by their names, without what may differ. */
    public Map<String, Map<String, String>> compared(Map<String, Map<String, String>> objects) {
        Map<String, Map<String, String>> kept = new HashMap<>(objects);
        for (IgnoreRule rule : ignored) {
            kept = rule.without(kept);
        }
        return kept;
    }

    /** Returns a state without what may differ. */
    public ClusterState compared(ClusterState state) {
        return new ClusterState(new TreeMap<>(compared(state.objects())));
    }
}
