package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.apply.FieldOwnership;
import dev.evenkeel.engine.internal.cel.Cel;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.schema.ObjectSchema;
import dev.evenkeel.engine.internal.schema.RuleCompiler;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** How custom resources and registered types behave: as their schema says. */
public final class CustomBehaviour implements Behaviour {
    /** Asked for rules only, and so the language is loaded with the first of them. */
    static final RuleCompiler RULES = (schema, resource) -> Cel.RULES.compile(schema, resource);

    private final ResourceType type;
    private final Map<String, ObjectSchema> schemas = new ConcurrentHashMap<>();
    private final Map<String, byte[]> heads = new ConcurrentHashMap<>();

    public CustomBehaviour(ResourceType type) {
        this.type = type;
    }

    private ObjectSchema schema(Target target) {
        return schemas.computeIfAbsent(target.version().name(), name -> ObjectSchema.of(type, target.version(), RULES));
    }

    @Override
    public byte[] head(Target target) {
        return heads.computeIfAbsent(
                target.version().name(), name -> StoredObject.head(target.apiVersion(), type.kind()));
    }

    @Override
    public List<String> normalise(Map<String, @Nullable Object> tree, Target target, List<String> duplicates) {
        List<String> problems = new ArrayList<>();
        duplicates.forEach(path -> problems.add("duplicate field \"" + path + "\""));
        schema(target).prune(tree).forEach(path -> problems.add("unknown field \"" + path + "\""));
        return problems;
    }

    @Override
    public void normaliseApplied(Map<String, @Nullable Object> tree, Target target) {
        schema(target).pruneApplied(tree);
    }

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree, Target target) {
        schema(target).applyDefaults(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Target target) {
        if (target.version().status()) {
            tree.remove("status");
            // what is stored is read with defaults, so it begins with those of the status
            applyDefaults(tree, target);
        }
    }

    @Override
    public void prepareForUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target) {}

    @Override
    public Map<String, @Nullable Object> blank(Target target) {
        return FieldOwnership.blank(target.apiVersion(), type.kind());
    }

    @Override
    public List<String> resetFields(Target target) {
        if (target.subresource().equals("status")) {
            return List.of("metadata", "spec");
        }
        return target.subresource().isEmpty() && target.version().status() ? List.of("status") : List.of();
    }

    @Override
    public void reset(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target) {
        if (target.subresource().equals("status")) {
            Object status = tree.get("status");
            Object entries = Metadata.of(tree).get("managedFields");
            boolean present = tree.containsKey("status");
            tree.clear();
            tree.putAll(dev.evenkeel.engine.internal.json.Json.copyObject(old));
            if (present) {
                tree.put("status", status);
            } else {
                tree.remove("status");
            }
            Metadata.of(tree).put("managedFields", entries);
        } else if (target.version().status()) {
            if (old.containsKey("status")) {
                tree.put("status", old.get("status"));
            } else {
                tree.remove("status");
            }
        }
    }

    @Override
    public List<FieldError> validate(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, Target target) {
        ObjectSchema schema = schema(target);
        if (old == null) {
            return schema.validate(tree);
        }
        if (target.subresource().equals("status")) {
            return schema.validateStatus(tree, old);
        }
        return schema.validateUpdate(tree, old);
    }

    @Override
    public List<String> warnings(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, Target target) {
        return schema(target).warnings(tree, old);
    }

    /** With the conversion strategy None: another apiVersion, and what the schema of that version makes of it. */
    @Override
    public Map<String, @Nullable Object> convert(Map<String, @Nullable Object> tree, Target target) {
        tree.put("apiVersion", target.apiVersion());
        tree.put("kind", type.kind());
        ObjectSchema schema = schema(target);
        schema.prune(tree);
        schema.applyDefaults(tree);
        return tree;
    }

    @Override
    public String storage(ResourceType type) {
        return type.id();
    }
}
