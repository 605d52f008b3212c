package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.AutoscalerConversion;
import dev.evenkeel.engine.internal.builtin.BuiltinDecoder;
import dev.evenkeel.engine.internal.builtin.BuiltinResource;
import dev.evenkeel.engine.internal.builtin.BuiltinStrategies;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.DecodeException;
import dev.evenkeel.engine.internal.builtin.EventConversion;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a built-in kind behaves: as its fact table and its strategy say. */
public final class BuiltinBehaviour implements Behaviour {
    private final Supplier<Strategy.Context> context;
    private final Map<ResourceType.Version, Facts> facts = new ConcurrentHashMap<>();

    /** What is looked up once for each version of a kind. */
    private record Facts(BuiltinResource resource, Strategy strategy, byte[] head) {}

    public BuiltinBehaviour(Supplier<Strategy.Context> context) {
        this.context = context;
    }

    private Facts facts(Target target) {
        Facts known = facts.get(target.version());
        if (known == null) {
            BuiltinResource resource =
                    BuiltinTypes.resource(target.type(), target.version()).orElseThrow();
            known = new Facts(
                    resource,
                    BuiltinStrategies.of(target.type(), target.version()),
                    StoredObject.head(target.apiVersion(), target.type().kind()));
            facts.put(target.version(), known);
        }
        return known;
    }

    @Override
    public byte[] head(Target target) {
        return facts(target).head();
    }

    @Override
    public List<String> normalise(Map<String, @Nullable Object> tree, Target target, List<String> duplicates) {
        try {
            return BuiltinDecoder.normalize(
                    tree, target.version().schema().reference(), java.util.Set.copyOf(duplicates));
        } catch (DecodeException e) {
            throw new MalformedObjectException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree, Target target) {
        facts(target).strategy().applyDefaults(tree);
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Target target) {
        facts(target).strategy().prepareForCreate(tree, context.get());
    }

    @Override
    public void prepareForUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target) {
        Strategy strategy = facts(target).strategy();
        switch (target.subresource()) {
            case "status" -> strategy.prepareForStatusUpdate(tree, old, context.get());
            case "finalize", "binding" -> {}
            default -> strategy.prepareForUpdate(tree, old, context.get());
        }
    }

    @Override
    public Map<String, @Nullable Object> blank(Target target) {
        Map<String, @Nullable Object> blank = new LinkedHashMap<>();
        blank.put("apiVersion", target.apiVersion());
        blank.put("kind", target.type().kind());
        BuiltinDecoder.normalize(blank, target.version().schema().reference());
        return blank;
    }

    @Override
    public List<String> resetFields(Target target) {
        BuiltinResource resource = facts(target).resource();
        return switch (target.subresource()) {
            case "" -> resource.resetFields();
            case "status" -> resource.statusResetFields();
            default -> List.of();
        };
    }

    @Override
    public void reset(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target) {
        if (target.subresource().equals("finalize")) {
            Object finalizers = Json.at(tree, "spec", "finalizers");
            Object entries = Metadata.of(tree).get("managedFields");
            tree.clear();
            tree.putAll(Json.copyObject(old));
            Map<String, @Nullable Object> spec = new LinkedHashMap<>();
            if (finalizers instanceof List<?> list && !list.isEmpty()) {
                spec.put("finalizers", list);
            }
            tree.put("spec", spec);
            Metadata.of(tree).put("managedFields", entries);
        }
    }

    @Override
    public List<FieldError> validate(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, Target target) {
        Strategy strategy = facts(target).strategy();
        List<FieldError> errors = new ArrayList<>();
        if (old == null) {
            errors.addAll(dev.evenkeel.engine.internal.schema.Metadata.validate(target.type(), tree));
            errors.addAll(strategy.validate(tree));
        } else {
            List<FieldError> metadata =
                    dev.evenkeel.engine.internal.schema.Metadata.validateUpdate(target.type(), tree, old);
            // upstream checks it before and within the checks of the kind
            errors.addAll(metadata);
            errors.addAll(metadata);
            if (target.subresource().isEmpty()) {
                errors.addAll(strategy.validate(tree));
                errors.addAll(strategy.validateUpdate(tree, old));
            }
        }
        return errors;
    }

    @Override
    public List<String> warnings(
            Map<String, @Nullable Object> tree, @Nullable Map<String, @Nullable Object> old, Target target) {
        return facts(target).strategy().warnings(tree);
    }

    @Override
    public ApiException invalid(Map<String, @Nullable Object> tree, Target target, List<FieldError> errors) {
        return Refusal.invalid(target.type(), Json.string(tree, "metadata", "name"), errors);
    }

    @Override
    public Map<String, @Nullable Object> convert(Map<String, @Nullable Object> tree, Target target) {
        String from = Json.string(tree, "apiVersion");
        String to = target.apiVersion();
        if (to.equals("events.k8s.io/v1") && from.equals("v1")) {
            EventConversion.toEvents(tree);
        } else if (to.equals("v1") && from.equals("events.k8s.io/v1")) {
            EventConversion.toCore(tree);
        } else if (to.equals("autoscaling/v2") && from.equals("autoscaling/v1")) {
            AutoscalerConversion.toV2(tree);
        } else if (to.equals("autoscaling/v1") && from.equals("autoscaling/v2")) {
            AutoscalerConversion.toV1(tree);
        }
        tree.put("apiVersion", to);
        tree.put("kind", target.type().kind());
        return tree;
    }

    @Override
    public OptionalLong grace(Map<String, @Nullable Object> tree, OptionalLong requested) {
        if (!"Pod".equals(tree.get("kind"))) {
            return OptionalLong.empty();
        }
        String phase = Json.string(tree, "status", "phase");
        if (Json.string(tree, "spec", "nodeName").isEmpty() || phase.equals("Succeeded") || phase.equals("Failed")) {
            return OptionalLong.of(0);
        }
        if (requested.isPresent()) {
            return OptionalLong.of(Math.max(requested.getAsLong() < 0 ? 1 : requested.getAsLong(), 0));
        }
        return Json.at(tree, "spec", "terminationGracePeriodSeconds") instanceof Long seconds
                ? OptionalLong.of(seconds)
                : OptionalLong.of(30);
    }

    @Override
    public String storage(ResourceType type) {
        return type.id().equals("events.events.k8s.io") ? "events" : type.id();
    }
}
