package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Volume attributes classes. */
record VolumeAttributesClassStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        Volumes.protect(tree, "kubernetes.io/vac-protection");
    }

    @Override
    public void validate(Field root) {
        Field driver = root.at("driverName");
        if (driver.require()) {
            String name = driver.text().toLowerCase(Locale.ROOT);
            Names.qualified(name).forEach(detail -> driver.invalid(name, detail));
        }
        Field parameters = root.at("parameters");
        StorageClassStrategy.parameters(parameters);
        if (parameters.object().isEmpty()) {
            parameters.missing("must contain at least one key/value pair");
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Volumes.className(tree, "volumeattributesclass.alpha.kubernetes.io/is-default-class");
    }

    @Override
    public boolean checksChangeFirst() {
        return true;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        for (String field : List.of("driverName", "parameters")) {
            if (!Objects.equals(root.at(field).value(), old.get(field))) {
                root.at(field).forbidden("updates to " + field + " are forbidden.");
            }
        }
    }
}
