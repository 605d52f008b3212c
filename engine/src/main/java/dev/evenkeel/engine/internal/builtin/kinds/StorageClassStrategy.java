package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Storage classes. */
record StorageClassStrategy(KindFacts facts) implements KindStrategy {
    private static final int MOST_PARAMETERS = 512;
    private static final int LARGEST_PARAMETERS = 256 << 10;

    @Override
    public void validate(Field root) {
        Field provisioner = root.at("provisioner");
        if (provisioner.require()) {
            String lower = provisioner.text().toLowerCase(Locale.ROOT);
            Names.qualified(lower).forEach(detail -> provisioner.invalid(lower, detail));
        }
        parameters(root.at("parameters"));
        root.at("reclaimPolicy").oneOfIfGiven("Delete", "Retain");
        root.at("volumeBindingMode").oneOf("Immediate", "WaitForFirstConsumer");
        topologies(root.at("allowedTopologies").items());
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return Field.of(tree, new ArrayList<>()).at("allowedTopologies").items().stream()
                .flatMap(term -> term.at("matchLabelExpressions").items().stream())
                .map(expression -> expression.at("key"))
                .filter(key -> PodWarnings.NODE_LABELS.containsKey(key.text()))
                .map(key -> key.path() + ": " + PodWarnings.NODE_LABELS.get(key.text()))
                .toList();
    }

    private static void topologies(List<Field> terms) {
        List<Map<String, Set<Object>>> seen = new ArrayList<>();
        for (Field term : terms) {
            Field expressions = term.at("matchLabelExpressions");
            Map<String, Set<Object>> values = new HashMap<>();
            for (Field expression : expressions.items()) {
                topology(expression);
                Field key = expression.at("key");
                if (values.put(key.text(), new HashSet<>(expression.at("values").array())) != null) {
                    key.duplicate(key.text());
                }
            }
            // upstream compares a term that is empty with as many empty ones as there are terms
            long same = seen.stream().filter(values::equals).count() + (values.isEmpty() ? terms.size() : 0);
            for (long i = 0; i < same; i++) {
                expressions.duplicate("");
            }
            seen.add(values);
        }
    }

    /** Checks the number of parameters, their keys and their size. */
    static void parameters(Field parameters) {
        if (parameters.object().size() > MOST_PARAMETERS) {
            parameters.tooLong(MOST_PARAMETERS);
            return;
        }
        if (parameters.object().containsKey("")) {
            parameters.invalid("", "field can not be empty.");
        }
        long bytes = 0;
        for (Map.Entry<String, Object> entry : parameters.object().entrySet()) {
            bytes += Names.bytes(entry.getKey()) + Names.bytes(String.valueOf(entry.getValue()));
        }
        if (bytes > LARGEST_PARAMETERS) {
            parameters.tooLong(LARGEST_PARAMETERS);
        }
    }

    private static void topology(Field expression) {
        Field values = expression.at("values");
        if (values.array().isEmpty()) {
            values.missing();
        }
        Set<String> seen = new HashSet<>();
        values.items().forEach(value -> value.distinct(seen));
        expression.at("key").obeys(Names::qualified);
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
            if (!Objects.equals(root.at(field).value(), old.get(field))) {
                root.at(field).invalid(Field.IMMUTABLE);
            }
        }
        root.immutable(old, "volumeBindingMode");
    }
}
