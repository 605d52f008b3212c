package dev.evenkeel.protobuf.internal;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.access.ContentRules;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.strategy.CustomStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a version of a type that is defined in protobuf: those of custom resources, and the JSON form, the unknown
 * fields, the conversion and the validation rules of its message.
 */
final class ProtobufStrategy extends CustomStrategy {
    private final ServedType<?> type;
    private final String version;
    private final DataFormat format;

    ProtobufStrategy(ServedType<?> type, ResourceType.Version version) {
        super(type.type(), version);
        this.type = type;
        this.version = version.name();
        format = type.format(this.version);
    }

    @Override
    public Optional<String> partition() {
        return type.global() ? Optional.of(Engine.SYSTEM_PARTITION) : Optional.empty();
    }

    @Override
    public List<String> normalise(JsonObject tree, List<String> duplicates, Consumer<SentEmpty> empties) {
        if (tree.get("spec") instanceof JsonObject spec) {
            format.json().rename(spec);
        }
        List<String> problems = super.normalise(tree, duplicates, empties);
        canonicalise(tree);
        return problems;
    }

    @Override
    public void normaliseConfiguration(JsonObject applied) {
        if (applied.get("spec") instanceof JsonObject spec) {
            format.json().rename(spec);
            canonicalise(applied);
        }
    }

    @Override
    public void normaliseApplied(JsonObject tree, Consumer<SentEmpty> empties) {
        super.normaliseApplied(tree, empties);
        canonicalise(tree);
    }

    private void canonicalise(JsonObject tree) {
        if (tree.get("spec") instanceof JsonObject spec) {
            tree.put("spec", format.json().canonical(spec));
        }
    }

    @Override
    public JsonObject convert(JsonObject tree) {
        String apiVersion = tree.string("apiVersion");
        String from = apiVersion.substring(apiVersion.indexOf('/') + 1);
        if (!from.equals(version)) {
            type.convert(tree, from, version);
        }
        return super.convert(tree);
    }

    /** A client that replaces an object without its unknown fields keeps them; an empty list removes them. */
    @Override
    public void reset(JsonObject tree, JsonObject old, String subresource) {
        super.reset(tree, old, subresource);
        if (subresource.isEmpty() && !tree.containsKey(DataFormat.UNKNOWN) && old.containsKey(DataFormat.UNKNOWN)) {
            tree.put(DataFormat.UNKNOWN, old.copy().get(DataFormat.UNKNOWN));
        }
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        super.prepareForCreate(tree, context);
        format.dropStale(tree);
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, String subresource, Context context) {
        super.prepareForUpdate(tree, old, subresource, context);
        if (subresource.isEmpty()) {
            format.dropStale(tree);
        }
    }

    @Override
    protected List<FieldError> validate(
            JsonObject tree, @Nullable JsonObject old, String subresource, Consumer<FieldError> tolerated) {
        List<FieldError> errors = new ArrayList<>(super.validate(tree, old, subresource, tolerated));
        if (errors.isEmpty() && !subresource.equals("status") && !ServedType.unchanged(tree, old)) {
            errors.addAll(DataFormat.errors(tree));
            errors.addAll(format.refused(tree, old));
            errors.addAll(type.violations(version, tree));
        }
        return errors;
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>(super.warnings(tree, old));
        if (old != null) {
            warnings.addAll(DataFormat.dropped(tree, old));
        }
        return warnings;
    }

    @Override
    public Optional<ContentRules> contentRules() {
        return type.hooks().hasAccessRules() ? Optional.of(new HookedRules<>(type)) : Optional.empty();
    }
}
