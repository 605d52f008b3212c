package dev.evenkeel.grpc.internal.resource;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.resource.v1.Condition;
import dev.evenkeel.grpc.resource.v1.Reference;
import dev.evenkeel.grpc.resource.v1.Status;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.protobuf.internal.InvalidDataException;
import dev.evenkeel.protobuf.internal.StatusFormat;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates statuses. A keyed status is an object {@code {observedGeneration, conditions, updatedAt}} with further fields,
 * in the form that conditions have in the Kubernetes API. Types without keyed statuses have one, under the empty key, whose
 * data is the whole status.
 */
public record StatusCodec(TypeTable types) {
    private static final String GENERATION = "observedGeneration";
    /** The field with the time of the last write. */
    public static final String UPDATED = "updatedAt";

    private static final String STRUCT = Struct.getDescriptor().getFullName();
    private static final String CONDITIONS = "conditions";
    private static final String TRANSITION = "lastTransitionTime";
    private static final Set<String> OWN = Set.of(GENERATION, UPDATED, CONDITIONS);
    private static final int LONGEST_KEY = 128;

    /** Returns the statuses of an object by key. */
    public Map<String, Status> statuses(ServedType type, JsonObject tree) {
        JsonObject status = tree.object("status");
        if (status.isEmpty()) {
            return Map.of();
        }
        if (!type.keyedStatus()) {
            return Map.of(
                    "",
                    Status.newBuilder()
                            .setData(Any.pack(Structs.struct(status)))
                            .build());
        }
        Map<String, Status> statuses = new LinkedHashMap<>();
        JsonObject common = new JsonObject();
        OWN.forEach(field -> {
            if (status.has(field)) {
                common.copyMember(field, status);
            }
        });
        if (!common.isEmpty()) {
            statuses.put("", status(type, "", common)); // written through the Kubernetes API
        }
        status.forEach((key, value) -> Json.object(value).ifPresent(one -> statuses.put(key, status(type, key, one))));
        return statuses;
    }

    private Status status(ServedType type, String key, JsonObject tree) {
        Status.Builder status = Status.newBuilder();
        Object generation = tree.get(GENERATION);
        if (generation != null) {
            status.setObservedGeneration(generation.toString());
        }
        Times.timestamp(tree.string(UPDATED)).ifPresent(status::setUpdatedAt);
        tree.objects(CONDITIONS).forEach(condition -> status.addConditions(condition(condition)));
        JsonObject data = new JsonObject(tree);
        OWN.forEach(data::remove);
        if (!data.isEmpty()) {
            status.setData(type.content()
                    .status(key)
                    .flatMap(format -> format.data(data))
                    .orElseGet(() -> Any.pack(Structs.struct(data))));
        }
        return status.build();
    }

    private Condition condition(JsonObject tree) {
        Condition.Builder condition = Condition.newBuilder()
                .setType(tree.string("type"))
                .setState(
                        switch (tree.string("status")) {
                            case "True" -> Condition.State.STATE_TRUE;
                            case "False" -> Condition.State.STATE_FALSE;
                            default -> Condition.State.STATE_UNKNOWN;
                        })
                .setReason(tree.string("reason"))
                .setMessage(tree.string("message"));
        Times.timestamp(tree.string(TRANSITION)).ifPresent(condition::setLastTransitionTime);
        tree.findObject("resource").ifPresent(about -> condition.setResource(reference(about)));
        return condition.build();
    }

    private Reference reference(JsonObject tree) {
        return Reference.newBuilder()
                .setType(types.type(tree.string("apiVersion"), tree.string("kind")))
                .setTenancy(Tenancy.newBuilder()
                        .setPartition(tree.string("partition"))
                        .setNamespace(tree.string("namespace")))
                .setName(tree.string("name"))
                .setSection(tree.string("fieldPath"))
                .build();
    }

    /** Checks a key and a status that are to be written. */
    public void check(ServedType type, String key, boolean present, Status status, Violations violations) {
        if (!type.keyedStatus()) {
            checkWhole(key, status, violations);
            return;
        }
        if (key.isEmpty()) {
            violations.required("key");
        } else if (OWN.contains(key)) {
            violations.invalid("key", "it is a field of every status: " + key);
        } else if (key.length() > LONGEST_KEY || key.chars().anyMatch(c -> c < ' ' || c >= 0x7f)) {
            violations.invalid("key", "must be at most " + LONGEST_KEY + " printable ASCII characters");
        }
        if (!present) {
            violations.required("status");
            return;
        }
        String generation = status.getObservedGeneration();
        if (generation.isEmpty()) {
            violations.required("status.observed_generation");
        } else if (!generation.matches("[0-9]{1,18}")) {
            violations.add("status.observed_generation", "status.observed_generation is not valid: " + generation);
        }
        if (status.hasUpdatedAt()) {
            violations.add("status.updated_at", "status.updated_at is automatically set and cannot be provided");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < status.getConditionsCount(); i++) {
            check("status.conditions[" + i + "]", status.getConditions(i), seen, violations);
        }
        String given = StructContent.messageOf(status.getData());
        String message =
                type.content().status(key).map(StatusFormat::messageName).orElse(STRUCT);
        if (status.hasData() && !given.equals(STRUCT) && !given.equals(message)) {
            violations.add(
                    "status.data",
                    "status.data is of wrong type (expected=\"" + message + "\", got=\"" + given + "\")");
        }
    }

    private static void checkWhole(String key, Status status, Violations violations) {
        if (!key.isEmpty()) {
            violations.invalid("key", "the type has one status, under the empty key");
        }
        if (!status.getObservedGeneration().isEmpty() || status.getConditionsCount() > 0 || status.hasUpdatedAt()) {
            violations.invalid("status", "the type has one status: all its fields are in status.data");
        }
        if (!status.hasData()) {
            violations.required("status.data");
        } else if (!status.getData().is(Struct.class)) {
            violations.add(
                    "status.data",
                    "status.data is of wrong type (expected=\"google.protobuf.Struct\", got=\""
                            + StructContent.messageOf(status.getData()) + "\")");
        }
    }

    private static void check(String at, Condition condition, Set<String> seen, Violations violations) {
        if (condition.getType().isEmpty()) {
            violations.required(at + ".type");
        } else if (!seen.add(condition.getType())) {
            violations.invalid(at + ".type", "another condition has the type " + condition.getType());
        }
        if (condition.getState() == Condition.State.UNRECOGNIZED) {
            violations.invalid(at + ".state", "unknown state " + condition.getStateValue());
        }
        if (condition.hasResource()) {
            Reference about = condition.getResource();
            if (!about.hasType() || about.getType().getKind().isEmpty()) {
                violations.required(at + ".resource.type");
            }
            if (about.getName().isEmpty()) {
                violations.required(at + ".resource.name");
            }
        }
    }

    /**
     * Returns a checked status as a part of an object.
     *
     * @param key of the status; empty for types that have one
     * @param present the present status under the key; null when there is none
     * @param takeover whether the time of the write changes even if nothing else does
     * @param now the time of the write; each write has a later one than the write before
     * @return the present status if nothing else would change than the time of the write
     */
    public JsonObject tree(
            ServedType type, String key, Status status, @Nullable JsonObject present, boolean takeover, Instant now) {
        JsonObject old = present == null ? new JsonObject() : present;
        JsonObject tree = new JsonObject();
        if (status.hasData()) {
            JsonObject data = fields(type, key, status.getData());
            data.forEach((name, value) -> tree.put(name, Structs.restore(value, old.get(name))));
        }
        if (!type.keyedStatus()) {
            return tree;
        }
        tree.put(GENERATION, Long.parseLong(status.getObservedGeneration()));
        List<@Nullable Object> conditions = new ArrayList<>();
        for (Condition condition : status.getConditionsList()) {
            conditions.add(
                    tree(condition, old, now.truncatedTo(ChronoUnit.SECONDS).toString()));
        }
        tree.setUnlessEmpty(CONDITIONS, conditions);
        tree.put(UPDATED, old.get(UPDATED));
        if (tree.equals(old) && !takeover) {
            return old;
        }
        Instant last = Times.instant(old.string(UPDATED)).orElse(Instant.MIN);
        Instant time = now.truncatedTo(ChronoUnit.MICROS);
        tree.put(UPDATED, (time.isAfter(last) ? time : last.plus(1, ChronoUnit.MICROS)).toString());
        return tree;
    }

    private JsonObject tree(Condition condition, JsonObject old, String now) {
        String state = switch (condition.getState()) {
            case STATE_TRUE -> "True";
            case STATE_FALSE -> "False";
            default -> "Unknown";
        };
        JsonObject before = old.objects(CONDITIONS).stream()
                .filter(one -> one.string("type").equals(condition.getType()))
                .findFirst()
                .orElse(new JsonObject());
        boolean same = before.string("status").equals(state);
        JsonObject tree = new JsonObject()
                .set("type", condition.getType())
                .set("status", state)
                .setUnlessEmpty("reason", condition.getReason())
                .setUnlessEmpty("message", condition.getMessage())
                .set(TRANSITION, same ? before.string(TRANSITION) : now);
        if (condition.hasResource()) {
            Reference about = condition.getResource();
            tree.put(
                    "resource",
                    new JsonObject()
                            .set("apiVersion", types.apiVersion(about.getType()))
                            .set("kind", about.getType().getKind())
                            .setUnlessEmpty("partition", about.getTenancy().getPartition())
                            .setUnlessEmpty("namespace", about.getTenancy().getNamespace())
                            .set("name", about.getName())
                            .setUnlessEmpty("fieldPath", about.getSection()));
        }
        return tree;
    }

    private static JsonObject fields(ServedType type, String key, Any data) {
        Violations violations = new Violations();
        try {
            Optional<StatusFormat> format = type.content().status(key);
            return format.isPresent() && !data.is(Struct.class)
                    ? format.get().fields(data)
                    : Structs.tree(data.unpack(Struct.class));
        } catch (InvalidDataException e) {
            e.errors().forEach(error -> {
                String at = error.field().isEmpty() ? "status.data" : "status.data." + error.field();
                violations.add(at, at + ": " + error.detail());
            });
        } catch (InvalidProtocolBufferException e) {
            violations.invalid("status.data", "it is not an encoded " + STRUCT + ": " + e.getMessage());
        }
        violations.check();
        return new JsonObject();
    }
}
