package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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
        root.at("reclaimPolicy").oneOf("Delete", "Retain");
        root.at("volumeBindingMode").oneOf("Immediate", "WaitForFirstConsumer");
        Set<Object> terms = new HashSet<>();
        for (Field term : root.at("allowedTopologies").items()) {
            Field expressions = term.at("matchLabelExpressions");
            Set<String> keys = new HashSet<>();
            for (Field expression : expressions.items()) {
                topology(expression);
                expression.at("key").distinct(keys);
            }
            if (!terms.add(expressions.array())) {
                expressions.duplicate("");
            }
        }
    }

    private static void parameters(Field parameters) {
        int bytes = 0;
        for (Map.Entry<String, Object> entry : parameters.object().entrySet()) {
            bytes += Names.bytes(entry.getKey()) + Names.bytes(String.valueOf(entry.getValue()));
        }
        if (parameters.object().size() > MOST_PARAMETERS) {
            parameters.tooMany(parameters.object().size(), MOST_PARAMETERS);
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
