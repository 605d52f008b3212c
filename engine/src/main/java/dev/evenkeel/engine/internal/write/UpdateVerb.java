package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.PatchType;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.admission.Admission;
import dev.evenkeel.engine.internal.admission.Admission.Operation;
import dev.evenkeel.engine.internal.apply.FieldOwnership;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Documents;
import dev.evenkeel.engine.internal.object.FieldProblems;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Revisions;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.object.Termination;
import dev.evenkeel.engine.internal.object.Warnings;
import dev.evenkeel.engine.internal.object.WriteContext;
import dev.evenkeel.engine.internal.patch.Patched;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.service.Namespaces;
import dev.evenkeel.engine.internal.strategy.Behaviour;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.Decoder.Decoded;
import dev.evenkeel.engine.spi.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes objects, by PUT, by patches and by apply: one loop for all of them.
 *
 * <p>A change is a function from the present object to the one that is wanted. It is computed, completed, checked and
 * committed on the condition that the object is still the one it was computed from; if it is not, the whole is done again
 * with the new one, so that a write without a resourceVersion always ends. A resourceVersion in the wanted object is a
 * precondition: once it is not the present one, the write is refused with 409.
 *
 * <p>Invariants: nothing is written when nothing changed; a change that takes the last finalizer off an object marked for
 * deletion deletes it; what only the server may set is what it was.
 */
public record UpdateVerb(WriteContext cluster, Ownership ownership, Admission admission, CreateVerb creating) {
    /** What is wanted instead of the present object. */
    @FunctionalInterface
    public interface Change {
        /**
         * The object that is wanted, in the target's version.
         *
         * @param live the present object, a copy that may be changed and returned; null when there is none
         */
        Wanted from(@Nullable Map<String, @Nullable Object> live);
    }

    /**
     * The object that is wanted.
     *
     * @param tree the object
     * @param owned whether its managedFields are final already
     * @param warnings what the client should be told
     */
    public record Wanted(Map<String, @Nullable Object> tree, boolean owned, List<String> warnings) {}

    public Reply update(Target target, Body body, WriteOptions options) {
        Decoded decoded = cluster.decoder().decode(body, target);
        List<String> warnings = new ArrayList<>();
        FieldProblems.report(decoded.problems(), decoded.tree(), target, options.validation(), warnings);
        Map<String, @Nullable Object> metadata = Metadata.of(decoded.tree());
        String name = Json.string(metadata, "name");
        if (name.isEmpty()) {
            throw Refusal.badRequest("the name of the object (" + target.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(target.name())) {
            throw Refusal.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
        Namespaces.fill(metadata, target);
        ResourceType type = target.type();
        if (type.rules().createOnUpdate() && target.subresource().isEmpty() && cluster.read(target) == null) {
            Map<String, @Nullable Object> tree = Json.copyObject(decoded.tree());
            Optional<Reply> created = creating.createIfFree(target, tree, options, warnings, false);
            if (created.isPresent()) {
                return created.get();
            }
            // somebody else was faster
        }
        return change(target, options, live -> {
            if (live == null) {
                throw Refusal.notFound(type, target.name());
            }
            Map<String, @Nullable Object> tree = Json.copyObject(decoded.tree());
            Map<String, @Nullable Object> wanted = Metadata.of(tree);
            checkUid(wanted, Metadata.of(live), target);
            String version = Json.string(wanted, "resourceVersion");
            if (version.isEmpty() || version.equals("0")) {
                if (!type.rules().unconditionalUpdate()) {
                    throw Refusal.invalid(
                            type.group(),
                            type.plural(),
                            target.name(),
                            List.of(FieldError.invalid(
                                    "metadata.resourceVersion", 0, "must be specified for an update")));
                }
                wanted.put("resourceVersion", Metadata.of(live).get("resourceVersion"));
            }
            return new Wanted(tree, false, new ArrayList<>(warnings));
        });
    }

    public Reply patch(Target target, PatchType patchType, Body body, WriteOptions options) {
        if (patchType == PatchType.APPLY) {
            return apply(target, body, options);
        }
        ResourceType type = target.type();
        return change(target, options, live -> {
            if (live == null) {
                throw Refusal.notFound(type, target.name());
            }
            List<String> problems = new ArrayList<>();
            Patched patched = Patches.apply(
                    patchType, live, body.bytes(), target.version().schema(), cluster.limits(), problems::add);
            return normalised(target, patched, problems, options);
        });
    }

    private Wanted normalised(Target target, Patched patched, List<String> problems, WriteOptions options) {
        Map<String, @Nullable Object> tree = Json.object(Json.copy(patched.tree()))
                .orElseThrow(() -> patched.invalid("json: cannot unmarshal into an object"));
        tree.computeIfAbsent("apiVersion", key -> target.apiVersion());
        tree.computeIfAbsent("kind", key -> target.type().kind());
        try {
            if (target.type().origin() == ResourceType.Origin.BUILT_IN) {
                cluster.decoder().checkKind(tree, target, cluster.types().get());
            }
            problems.addAll(cluster.decoder().normalise(tree, target, List.of()));
        } catch (ApiException e) {
            throw shown(patched, target)
                    .invalid(String.valueOf(e.getMessage())
                            .replaceFirst("^\\S+ in version .* cannot be handled as a \\S+: ", ""));
        }
        if (options.validation() == WriteOptions.FieldValidation.STRICT && !problems.isEmpty()) {
            throw shown(patched, target).invalid("strict decoding error: " + String.join(", ", problems));
        }
        List<String> warnings = options.validation() == WriteOptions.FieldValidation.WARN
                ? new ArrayList<>(problems)
                : new ArrayList<>();
        return new Wanted(tree, false, warnings);
    }

    /**
     * A result as upstream shows it. There a patch works on encoded objects: parts that it touches come out with sorted
     * keys, others as they were encoded, which of built-in kinds is the order of fields in their type.
     */
    private Patched shown(Patched patched, Target target) {
        if (!(patched.tree() instanceof Map<?, ?> result)) {
            return patched;
        }
        if (target.type().origin() != ResourceType.Origin.BUILT_IN) {
            return patched.showing(java.util.Objects.requireNonNull(Json.sorted(result)));
        }
        Map<String, @Nullable Object> sorted = new java.util.TreeMap<>(Json.asObject(result));
        Entry entry = cluster.read(target);
        if (result.get("metadata") instanceof Map<?, ?> metadata) {
            boolean touched = entry == null
                    || !metadata.equals(cluster.tree(entry, target).get("metadata"));
            sorted.put(
                    "metadata",
                    touched ? new java.util.TreeMap<>(metadata) : ObjectMeta.inOrder(Json.asObject(metadata)));
        }
        return patched.showing(sorted);
    }

    private Reply apply(Target target, Body body, WriteOptions options) {
        List<String> problems = new ArrayList<>();
        Map<String, @Nullable Object> wanted = configuration(body, cluster.limits(), problems);
        if (!problems.isEmpty() && options.validation() == WriteOptions.FieldValidation.STRICT) {
            throw Refusal.badRequest(
                    "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  "
                            + String.join("\n  ", problems));
        }
        List<String> warnings = options.validation() == WriteOptions.FieldValidation.WARN ? problems : List.of();
        return change(target, options, live -> {
            if (live == null && !target.subresource().isEmpty()) {
                throw Refusal.notFound(target.type(), target.name());
            }
            String uid = Json.string(wanted, "metadata", "uid");
            if (live == null && !uid.isEmpty()) {
                throw Refusal.conflict(
                        target.type(),
                        target.name(),
                        "uid mismatch: the provided object specified uid " + uid
                                + ", and no existing object was found");
            }
            Map<String, @Nullable Object> merged = ownership.applied(
                    live, Json.copyObject(wanted), target, options.fieldManager(), options.force(), cluster.now());
            cluster.decoder().normaliseApplied(merged, target);
            if (live == null) {
                Metadata.of(merged).remove("resourceVersion");
            }
            return new Wanted(merged, true, new ArrayList<>(warnings));
        });
    }

    /** Reads what is to be applied; nothing reads as an object without fields. */
    static Map<String, @Nullable Object> configuration(Body body, JsonLimits limits, List<String> problems) {
        Object parsed;
        try {
            // what says of itself that it is JSON needs no reader of YAML, which takes many times as long
            parsed = body.format() == Body.Format.JSON
                    ? Json.parse(body.bytes(), limits)
                    : Yaml.parse(body.bytes(), limits, problems::add);
        } catch (JsonException e) {
            throw Refusal.badRequest("error decoding YAML: error converting YAML to JSON: " + e.getMessage());
        }
        return switch (parsed) {
            case null -> new LinkedHashMap<>();
            case Map<?, ?> map -> Json.asObject(map);
            case List<?> list -> throw notAnObject("array");
            case String text -> throw notAnObject("string");
            case Boolean flag -> throw notAnObject("bool");
            default -> throw notAnObject("number");
        };
    }

    private static ApiException notAnObject(String what) {
        return Refusal.badRequest(
                "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " + what
                        + " into Go value of type map[string]interface {}");
    }

    /** Changes the target's object until it is changed; makes it when there is none. */
    public Reply change(Target target, WriteOptions options, Change change) {
        while (true) {
            Entry entry = cluster.read(target);
            Map<String, @Nullable Object> live = entry == null ? null : cluster.tree(entry, target);
            Wanted wanted = change.from(live == null ? null : Json.copyObject(live));
            if (entry == null || live == null) {
                Metadata.of(wanted.tree()).putIfAbsent("name", target.name());
                checkName(Metadata.of(wanted.tree()), target);
                Optional<Reply> created =
                        creating.createIfFree(target, wanted.tree(), options, wanted.warnings(), wanted.owned());
                if (created.isPresent()) {
                    return created.get();
                }
                continue;
            }
            Reply reply = attempt(target, options, entry, live, wanted);
            if (reply != null) {
                return reply;
            }
        }
    }

    /** Null when the object changed meanwhile. */
    private @Nullable Reply attempt(
            Target target, WriteOptions options, Entry entry, Map<String, @Nullable Object> live, Wanted wanted) {
        ResourceType type = target.type();
        Behaviour behaviour = cluster.behaviours().of(type);
        Fences.check(cluster, options.fence(), target);
        Map<String, @Nullable Object> tree = wanted.tree();
        List<String> warnings = wanted.warnings();
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        Map<String, @Nullable Object> old = Metadata.of(live);
        checkName(metadata, target);
        checkVersion(metadata, entry, target);
        checkSameUid(tree, old, target);
        Object deletion = metadata.get("deletionTimestamp");
        Metadata.restore(metadata, old);
        metadata.put("resourceVersion", old.get("resourceVersion"));
        Namespaces.fill(metadata, target);
        Warnings.duplicateOwners(metadata, warnings);
        behaviour.reset(tree, live, target);
        behaviour.applyDefaults(tree, target);
        if (!wanted.owned()) {
            own(tree, live, deletion, target, options);
        }
        changed(target, tree, live, options, warnings);
        metadata = Metadata.of(tree);
        behaviour.prepareForUpdate(tree, live, target);
        if (type.rules().generation()
                && !target.subresource().equals("binding")
                && !sameGeneration(tree, live, target)) {
            long generation = Json.integer(old, "generation");
            metadata.put("generation", generation + 1);
        }
        admission.pass(new Admission.Write(Operation.UPDATE, target, tree, live, options.dryRun(), warnings));
        if (Termination.complete(tree, type)) {
            if (!options.dryRun() && cluster.commit(target, entry.key(), entry, null, options.fence()) == 0) {
                return null;
            }
            return new Reply.Shown(200, Documents.of(tree), warnings);
        }
        if (isUnchanged(tree, live)) {
            return new Reply.Shown(200, cluster.document(entry, target), warnings);
        }
        if (options.dryRun()) {
            return new Reply.Shown(200, Documents.of(tree), warnings);
        }
        StoredObject stored = cluster.encode(tree, target);
        long revision = cluster.commit(target, entry.key(), entry, stored, options.fence());
        return revision == 0
                ? null
                : new Reply.Shown(200, cluster.document(new Entry(entry.key(), revision, stored), target), warnings);
    }

    private void changed(
            Target target,
            Map<String, @Nullable Object> tree,
            Map<String, @Nullable Object> live,
            WriteOptions options,
            List<String> warnings) {
        if (admission.changes().isEmpty()) {
            return;
        }
        Map<String, @Nullable Object> before = Json.copyObject(tree);
        if (admission.change(new Admission.Write(Operation.UPDATE, target, tree, live, options.dryRun(), warnings))) {
            // what webhooks set is the writer's
            ownership.written(tree, before, target, options.fieldManager(), cluster.now());
        }
    }

    /** Whether there is nothing to write; that a field was written again at another time is nothing. */
    private static boolean isUnchanged(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> live) {
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        Object owners = metadata.get("managedFields");
        Object before = Metadata.of(live).get("managedFields");
        if (owners == null || owners.equals(before) || !FieldOwnership.sameButTimes(owners, before)) {
            return tree.equals(live);
        }
        metadata.put("managedFields", before);
        boolean same = tree.equals(live);
        metadata.put("managedFields", owners);
        return same;
    }

    /** Notes who wrote what; the attempt to set a deletionTimestamp is noted too, though it is in vain. */
    private void own(
            Map<String, @Nullable Object> tree,
            Map<String, @Nullable Object> live,
            @Nullable Object deletion,
            Target target,
            WriteOptions options) {
        Map<String, @Nullable Object> metadata = Metadata.of(tree);
        Object present = metadata.get("deletionTimestamp");
        if (deletion == null || deletion.equals(present)) {
            ownership.written(tree, live, target, options.fieldManager(), cluster.now());
            return;
        }
        metadata.put("deletionTimestamp", deletion);
        ownership.written(tree, live, target, options.fieldManager(), cluster.now());
        if (present == null) {
            metadata.remove("deletionTimestamp");
        } else {
            metadata.put("deletionTimestamp", present);
        }
    }

    private static void checkName(Map<String, @Nullable Object> metadata, Target target) {
        String name = Json.string(metadata, "name");
        if (!name.equals(target.name())) {
            throw Refusal.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
    }

    private static void checkVersion(Map<String, @Nullable Object> metadata, Entry entry, Target target) {
        String version = Json.string(metadata, "resourceVersion");
        if (version.isEmpty() || version.equals("0")) {
            return;
        }
        if (!Revisions.valid(version)) {
            throw Refusal.internal(Revisions.syntaxError(version));
        }
        if (!version.equals(Long.toString(entry.revision()))) {
            throw Refusal.modified(target.type(), target.name());
        }
    }

    /** In a replacement the uid is a precondition. */
    static void checkUid(Map<String, @Nullable Object> metadata, Map<String, @Nullable Object> old, Target target) {
        String uid = Json.string(metadata, "uid");
        String present = Json.string(old, "uid");
        if (!uid.isEmpty() && !uid.equals(present)) {
            throw Refusal.conflict(
                    target.type(),
                    target.name(),
                    "StorageError: invalid object, Code: 4, Key: /registry/"
                            + (target.type().group().isEmpty()
                                    ? ""
                                    : target.type().group() + "/")
                            + target.type().plural() + "/"
                            + (target.namespace().isEmpty() ? "" : target.namespace() + "/") + target.name()
                            + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: "
                            + uid + ", UID in object meta: " + present);
        }
    }

    /** In a patch it is a field like others, that can't be changed: upstream's two checks of that both report it. */
    private void checkSameUid(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, Target target) {
        String uid = Json.string(tree, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(Json.string(old, "uid"))) {
            FieldError immutable = FieldError.invalid("metadata.uid", uid, "field is immutable");
            throw Refusal.invalid(target.type(), target.name(), List.of(immutable, immutable));
        }
    }

    /** Whether nothing changed that generations count: all but metadata and, where it is apart, status. */
    private static boolean sameGeneration(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> live, Target target) {
        return counted(tree, target).equals(counted(live, target));
    }

    private static Map<String, @Nullable Object> counted(Map<String, @Nullable Object> tree, Target target) {
        Map<String, @Nullable Object> counted = new LinkedHashMap<>(tree);
        counted.remove("metadata");
        if (target.version().status() || target.type().origin() == ResourceType.Origin.BUILT_IN) {
            counted.remove("status");
        }
        return counted;
    }
}
