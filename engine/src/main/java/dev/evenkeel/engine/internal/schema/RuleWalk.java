package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.CompiledRule.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the rules of a schema along an object.
 *
 * <p>The walk follows only branches of the schema that have rules. The rules of a value come before those of its parts,
 * parts in the order of their names. A rule that compares with the old value is evaluated only where there is one:
 * fields by name, items of list maps by their keys, other items never; or, with {@code optionalOldSelf}, also where
 * there is none.
 *
 * <p>A rule that uses only the new value is not applied to an update which leaves that value, or the nearest value
 * around it with a counterpart, unchanged: what it finds is tolerated.
 *
 * <p>All rules of one object share a budget. When it is used up, no more are evaluated, and that is an error.
 */
final class RuleWalk implements ObjectSchema.RuleEvaluator {
    private static final String MISMATCH =
            "call arguments did not match a supported operator, function or macro signature for rule: ";
    private static final String OUT_OF_BUDGET =
            "validation failed due to running out of cost budget, no further validation rules will be run";

    /** A schema with rules, or with such schemas in it. */
    private record Node(
            String type,
            List<JsonObject> written,
            List<CompiledRule> compiled,
            List<String> fieldPaths,
            Map<String, Node> fields,
            @Nullable Node values,
            @Nullable Node items,
            List<String> listKeys) {}

    /**
     * The relation of a value to the old object.
     *
     * @param old its counterpart; null when there is none
     * @param related whether the schema can identify counterparts here at all
     * @param same whether the value, or the nearest around it with a counterpart, has not changed
     */
    private record Old(@Nullable Object old, boolean related, Lazy same) {}

    /** A comparison that is made on demand, and once. */
    private static final class Lazy {
        private final @Nullable Object value;
        private final @Nullable Object old;
        private @Nullable Boolean same;

        Lazy(@Nullable Object value, @Nullable Object old) {
            this.value = value;
            this.old = old;
        }

        boolean same() {
            Boolean known = same;
            if (known == null) {
                known = old != null && Objects.equals(value, old);
                same = known;
            }
            return known;
        }
    }

    private final @Nullable Node root;

    private RuleWalk(@Nullable Node root) {
        this.root = root;
    }

    /** Compiles all rules of a schema of whole objects. */
    static RuleWalk of(JsonObject schema, RuleCompiler compiler) {
        return new RuleWalk(node(schema, true, compiler));
    }

    private static @Nullable Node node(JsonObject schema, boolean resource, RuleCompiler compiler) {
        Map<String, Node> fields = new TreeMap<>(Json.KEY_ORDER);
        SchemaSource.properties(schema, (name, property) -> {
            Node field = node(property, isResource(property), compiler);
            if (field != null) {
                fields.put(name, field);
            }
        });
        Node values = nested(schema.get("additionalProperties"), compiler);
        Node items = nested(schema.get("items"), compiler);
        List<JsonObject> written = schema.objects("x-kubernetes-validations");
        if (written.isEmpty() && fields.isEmpty() && values == null && items == null) {
            return null;
        }
        List<CompiledRule> compiled = written.isEmpty()
                ? List.of()
                : compiler.compile(schema, resource).rules();
        List<String> listKeys = schema.string("x-kubernetes-list-type").equals("map")
                ? schema.strings("x-kubernetes-list-map-keys")
                : List.of();
        return new Node(
                schema.bool("x-kubernetes-int-or-string") ? "" : schema.string("type"),
                written,
                compiled,
                written.stream()
                        .map(rule -> fieldPath(rule.string("fieldPath"), schema))
                        .toList(),
                fields,
                values,
                items,
                listKeys);
    }

    private static @Nullable Node nested(@Nullable Object schema, RuleCompiler compiler) {
        return Json.object(schema)
                .map(source -> node(source, isResource(source), compiler))
                .orElse(null);
    }

    static boolean isResource(JsonObject schema) {
        return schema.bool("x-kubernetes-embedded-resource");
    }

    /** Returns the path as errors show it: fields after a dot, keys of maps in brackets. */
    private static String fieldPath(String path, JsonObject schema) {
        StringBuilder shown = new StringBuilder();
        JsonObject at = schema;
        for (String name : path.isEmpty()
                ? List.<String>of()
                : FieldPaths.follow(path, schema, true).names()) {
            JsonObject properties = at.object("properties");
            if (properties.isEmpty()) {
                shown.append('[').append(name).append(']');
                at = at.object("additionalProperties");
            } else {
                shown.append(shown.isEmpty() ? "" : ".").append(name);
                at = properties.object(name);
            }
        }
        return shown.toString();
    }

    @Override
    public List<FieldError> evaluate(JsonObject object, @Nullable JsonObject old, Consumer<FieldError> tolerated) {
        if (root == null) {
            return List.of();
        }
        Run run = new Run(new ArrayList<>(0), tolerated);
        run.visit(root, object, new Old(old, old != null, new Lazy(object, old)));
        return run.errors;
    }

    /**
     * Returns the errors of the default of a schema, as if it replaced the same value; if there are none, as if it
     * replaced no value.
     *
     * @param path the path of the default, under which its errors are reported
     */
    static List<FieldError> checkDefault(
            JsonObject schema, boolean resource, RuleCompiler compiler, Object value, String path) {
        Node root = node(schema, resource, compiler);
        if (root == null) {
            return List.of();
        }
        List<FieldError> errors = checkDefault(root, value, new Old(value, true, new Lazy(value, value)), path);
        return errors.isEmpty() ? checkDefault(root, value, new Old(null, false, new Lazy(value, null)), path) : errors;
    }

    private static List<FieldError> checkDefault(Node root, Object value, Old old, String path) {
        List<FieldError> errors = new ArrayList<>(0);
        Run run = new Run(errors, errors::add); // an unchanged value is not tolerated
        run.trail.field(path);
        run.visit(root, value, old);
        return errors;
    }

    private static final class Run {
        private final List<FieldError> errors;
        private final Trail trail = new Trail();
        private final RuleBudget budget = new RuleBudget();
        private final Consumer<FieldError> tolerated;
        private boolean stopped;

        Run(List<FieldError> errors, Consumer<FieldError> tolerated) {
            this.errors = errors;
            this.tolerated = tolerated;
        }

        void visit(Node node, @Nullable Object value, Old old) {
            if (value == null || stopped) {
                return;
            }
            rules(node, value, old);
            if (value instanceof JsonObject map) {
                Node values = node.values;
                if (values != null) {
                    new TreeMap<>(map).forEach((name, item) -> {
                        trail.key(name);
                        visit(values, item, field(old, name, item));
                        trail.pop();
                    });
                }
                node.fields.forEach((name, field) -> {
                    Object item = map.get(name);
                    if (item != null) {
                        trail.field(name);
                        visit(field, item, field(old, name, item));
                        trail.pop();
                    }
                });
            } else if (value instanceof List<?> list && node.items != null) {
                Map<Object, Object> counterparts = byKeys(node.listKeys, old.old);
                for (int i = 0; i < list.size() && !stopped; i++) {
                    Object item = list.get(i);
                    trail.index(i);
                    visit(node.items, item, item(node.listKeys, counterparts, item, old));
                    trail.pop();
                }
            }
        }

        private static Old field(Old parent, String name, @Nullable Object value) {
            if (!parent.related) {
                return parent;
            }
            Object old = parent.old instanceof JsonObject map ? map.get(name) : null;
            return new Old(old, true, new Lazy(value, old));
        }

        private static Old item(
                List<String> keys, Map<Object, Object> counterparts, @Nullable Object item, Old parent) {
            if (keys.isEmpty()) {
                return new Old(null, false, parent.same);
            }
            Object old = counterparts.get(key(keys, item));
            return new Old(old, parent.related, parent.related ? new Lazy(item, old) : parent.same);
        }

        private static Map<Object, Object> byKeys(List<String> keys, @Nullable Object old) {
            Map<Object, Object> items = new HashMap<>();
            if (!keys.isEmpty() && old instanceof List<?> list) {
                for (Object item : list) {
                    if (item != null) {
                        items.put(key(keys, item), item);
                    }
                }
            }
            return items;
        }

        private static Object key(List<String> keys, @Nullable Object item) {
            return keys.stream()
                    .map(key -> Optional.ofNullable(item instanceof JsonObject map ? map.get(key) : null))
                    .toList();
        }

        private void rules(Node node, Object value, Old old) {
            if (node.compiled.isEmpty()) {
                return;
            }
            if (budget.left() <= 0) {
                stop(node, OUT_OF_BUDGET);
                return;
            }
            for (int i = 0; i < node.compiled.size() && !stopped; i++) {
                CompiledRule rule = node.compiled.get(i);
                JsonObject written = node.written.get(i);
                boolean always = written.bool("optionalOldSelf");
                if (written.string("rule").isBlank()) {
                    continue; // only while the definition itself is checked, which refuses it
                }
                if (!rule.error().isEmpty()) {
                    wrong(node, "rule compile error: " + rule.error());
                } else if (!rule.usesOldSelf() || old.old != null || always) {
                    Outcome outcome = rule.evaluation().of(value, Optional.ofNullable(old.old), budget);
                    judge(node, i, value, old, outcome);
                }
            }
        }

        private void judge(Node node, int index, Object value, Old old, Outcome outcome) {
            JsonObject rule = node.written.get(index);
            switch (outcome) {
                case Outcome.Holds unused -> {}
                case Outcome.Failed(String reason) -> {
                    boolean mismatch = reason.startsWith("no such overload");
                    wrong(
                            node,
                            (mismatch ? "'" + reason + "': " + MISMATCH : reason + " evaluating rule: ") + name(rule));
                }
                case Outcome.Stopped(var limit) -> {
                    stopped = true;
                    switch (limit) {
                        case OBJECT -> wrong(node, OUT_OF_BUDGET);
                        case RULE ->
                            wrong(
                                    node,
                                    "'operation cancelled: actual cost limit exceeded': no further validation rules "
                                            + "will be run due to call cost exceeds limit for rule: " + name(rule));
                        case MESSAGE ->
                            broken(
                                    node,
                                    index,
                                    old,
                                    "no further validation rules will be run due to call cost exceeds limit for "
                                            + "messageExpression: " + Json.text(rule.get("messageExpression")));
                        case OBJECT_BY_MESSAGE ->
                            broken(
                                    node,
                                    index,
                                    old,
                                    "messageExpression evaluation failed due to running out of cost budget, no further "
                                            + "validation rules will be run");
                    }
                }
                case Outcome.Broken broken -> {
                    String text = broken.message().orElseGet(() -> message(rule));
                    broken(node, index, old, error(node, rule, node.fieldPaths.get(index), value, text));
                }
            }
        }

        /** Adds the error of a rule whose message cannot be had. */
        private void broken(Node node, int index, Old old, String detail) {
            broken(node, index, old, FieldError.invalid(path(node.fieldPaths.get(index)), node.type, detail));
        }

        /** Adds the error of a rule; tolerates it where nothing changed. */
        private void broken(Node node, int index, Old old, FieldError error) {
            if (node.compiled.get(index).usesOldSelf() || !old.same.same()) {
                errors.add(error);
            } else {
                tolerated.accept(error);
            }
        }

        private void stop(Node node, String detail) {
            wrong(node, detail);
            stopped = true;
        }

        private void wrong(Node node, String detail) {
            errors.add(FieldError.invalid(path(""), node.type, detail));
        }

        private FieldError error(Node node, JsonObject rule, String fieldPath, Object value, String detail) {
            String field = path(fieldPath);
            boolean shown = !node.type.equals("object") && !node.type.equals("array");
            return switch (rule.string("reason")) {
                case "FieldValueForbidden" -> FieldError.forbidden(field, detail);
                case "FieldValueRequired" -> FieldError.required(field, detail);
                case "FieldValueDuplicate" ->
                    shown
                            ? FieldError.duplicate(field, value)
                            : new FieldError("FieldValueDuplicate", field, "Duplicate value");
                default ->
                    shown
                            ? FieldError.invalid(field, value, detail)
                            : new FieldError("FieldValueInvalid", field, "Invalid value: " + detail);
            };
        }

        private String path(String within) {
            return Validation.field(trail.bracketed(), within);
        }

        private static String message(JsonObject rule) {
            return (rule.string("message").isEmpty() ? "failed rule: " : "") + name(rule);
        }

        private static String name(JsonObject rule) {
            String message = rule.string("message");
            return (message.isEmpty() ? rule.string("rule") : message).strip();
        }
    }
}
