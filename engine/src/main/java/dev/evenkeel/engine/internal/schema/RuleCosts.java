package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the rules of a definition and collects their errors: rules that are wrong, that cost too much, or that
 * compare with an old value where there can be none.
 *
 * <p>The cost of a rule is that of one evaluation times the number of values that it may apply to: the product of the
 * bounds of the lists and maps around it, or when one of them has none, as many as fit into the largest request. Both
 * one rule and all of them have a limit; rules of an existing schema are exempt from the first.
 */
public final class RuleCosts {
    private static final long PER_RULE = 10_000_000;
    private static final long IN_ALL = 100_000_000;
    private static final int SHOWN = 4;
    private static final long UNBOUNDED = -1;

    /**
     * The position of rules.
     *
     * @param cardinality how many values there may be in one object, or {@link #UNBOUNDED}
     * @param noOldValues the outermost list whose items have no counterparts in the old object; null outside of such
     */
    record Place(long cardinality, @Nullable Field noOldValues) {
        static final Place ROOT = new Place(1, null);

        /** Returns the position within a schema at this position. */
        Place within(JsonObject schema) {
            long elements = switch (schema.string("type")) {
                case "object" -> schema.get("additionalProperties") == null ? 1 : limit(schema, "maxProperties");
                case "array" -> limit(schema, "maxItems");
                default -> 1;
            };
            boolean bounded = cardinality != UNBOUNDED && elements != UNBOUNDED;
            return new Place(bounded ? times(cardinality, elements) : UNBOUNDED, noOldValues);
        }

        /** Returns the position within the items of a list. */
        Place items(Field schema) {
            boolean known = schema.at("x-kubernetes-list-type").text().equals("map");
            return noOldValues != null || known ? this : new Place(cardinality, schema);
        }

        private static long limit(JsonObject schema, String key) {
            return schema.get(key) instanceof Number number ? Math.max(0, number.longValue()) : UNBOUNDED;
        }
    }

    private record Expensive(String field, long cost) {}

    private final RuleCompiler compiler;
    private final boolean unchanged;
    private final List<FieldError> errors = new ArrayList<>(0);
    private final List<Expensive> expensive = new ArrayList<>(0);
    private long total;

    /**
     * Creates an empty collection.
     *
     * @param unchanged true if the schema exists already
     */
    public RuleCosts(RuleCompiler compiler, boolean unchanged) {
        this.compiler = compiler;
        this.unchanged = unchanged;
    }

    RuleCompiler compiler() {
        return compiler;
    }

    /** Returns the errors of single rules. */
    List<FieldError> errors() {
        return errors;
    }

    /** Compiles the rules of one schema. */
    void add(Field schema, boolean resource, Place place) {
        Field written = schema.at("x-kubernetes-validations");
        if (written.array().isEmpty()) {
            return;
        }
        RuleCompiler.Compiled compiled = compiler.compile(schema.object(), resource);
        long count = place.cardinality == UNBOUNDED ? compiled.cardinality() : place.cardinality;
        for (int i = 0; i < compiled.rules().size(); i++) {
            Field rule = written.items().get(i);
            add(compiled.rules().get(i), rule.object(), rule.path(), place, count);
        }
        if (compiled.equals(RuleCompiler.Compiled.INVISIBLE)) {
            errors.add(new FieldError(
                    "InternalError",
                    written.path(),
                    "Internal error: internal error: failed to construct type information for x-kubernetes-validations "
                            + "rules: unable to convert structural schema to CEL declarations"));
        }
    }

    private void add(CompiledRule compiled, JsonObject rule, String path, Place place, long count) {
        String field = path + ".rule";
        charge(field, "estimated rule cost", times(compiled.cost(), count));
        if (!compiled.error().isEmpty()) {
            errors.add(wrong(field, rule, compiled.error()));
        }
        String messageField = path + ".messageExpression";
        if (!compiled.messageError().isEmpty()) {
            errors.add(wrong(messageField, rule, compiled.messageError()));
        }
        compiled.messageCost().ifPresent(cost -> charge(messageField, "estimated messageExpression cost", cost));
        if (compiled.usesOldSelf()) {
            if (place.noOldValues != null) {
                String detail = "oldSelf cannot be used on the uncorrelatable portion of the schema within ";
                errors.add(FieldError.invalid(field, rule.get("rule"), detail + place.noOldValues.path()));
            }
        } else if (rule.get("optionalOldSelf") instanceof Boolean optional) {
            errors.add(FieldError.invalid(
                    path + ".optionalOldSelf", optional, "may not be set if oldSelf is not used in rule"));
        }
    }

    private void charge(String field, String name, long cost) {
        if (cost > PER_RULE && !unchanged) {
            errors.add(FieldError.forbidden(field, exceeded(name, cost, PER_RULE)));
        }
        total = total > Long.MAX_VALUE - cost ? Long.MAX_VALUE : total + cost;
        if (cost >= IN_ALL / 100) {
            expensive.add(new Expensive(field, cost));
        }
    }

    /** Returns the errors of all rules together. */
    List<FieldError> total(String path) {
        List<FieldError> result = new ArrayList<>(0);
        if (total > IN_ALL) {
            String detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
            expensive.stream()
                    .sorted(Comparator.comparingLong(Expensive::cost).reversed())
                    .limit(SHOWN)
                    .forEach(rule -> result.add(FieldError.forbidden(rule.field, detail)));
            String name = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
            result.add(FieldError.forbidden(path, exceeded(name, total, IN_ALL)));
        }
        return result;
    }

    private static String exceeded(String name, long cost, long limit) {
        double factor = (double) cost / limit;
        String times =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
        return name + " exceeds budget by factor of " + times
                + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and "
                + "strings are declared)";
    }

    /** Returns an error that shows the whole rule, as Go marshals it. */
    private static FieldError wrong(String field, JsonObject rule, String detail) {
        JsonObject shown = new JsonObject()
                .set("Rule", rule.string("rule"))
                .set("Message", rule.string("message"))
                .set("MessageExpression", rule.string("messageExpression"))
                .set("Reason", rule.get("reason"))
                .set("FieldPath", rule.string("fieldPath"))
                .set("OptionalOldSelf", rule.get("optionalOldSelf"));
        return new FieldError("FieldValueInvalid", field, "Invalid value: " + Json.html(shown) + ": " + detail);
    }

    private static long times(long a, long b) {
        return b != 0 && a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
    }
}
