package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Revisions;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.List;
import java.util.Set;

/** Checks that an object is the one that the request names, and restores the metadata that only the server sets. */
final class Identity {
    private static final Set<String> STORED_BY_GROUP = Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

    private Identity() {}

    static void check(Write write) {
        if (!write.is(Operation.CREATE, Operation.UPDATE)) {
            return;
        }
        Target target = write.target();
        JsonObject metadata = write.metadata();
        JsonObject old = write.old() == null ? null : write.old().withObject("metadata");
        String name = metadata.string("name");
        if (old != null || !name.isEmpty()) {
            checkName(name, target);
        } else if (metadata.string("generateName").isEmpty()) {
            setName(write);
        }
        if (old == null || write.present() == null) {
            Metadata.wipe(metadata);
        } else {
            checkVersion(metadata, write.present(), target);
            checkSameUid(metadata, old, target);
            Object deletion = metadata.get("deletionTimestamp");
            Metadata.restore(metadata, old);
            metadata.put("resourceVersion", old.get("resourceVersion"));
            if (deletion != null) {
                // an attempt to set it is recorded in managedFields, and then reverted
                metadata.put("deletionTimestamp", deletion);
            }
        }
        List<String> uids = Metadata.deduplicateOwners(metadata);
        if (!uids.isEmpty()) {
            write.warnings()
                    .add(".metadata.ownerReferences contains duplicate entries; API server dedups owner references in"
                            + " 1.20+, and may reject such requests as early as 1.24; please fix your requests;"
                            + " duplicate UID(s) observed: " + String.join(", ", uids));
        }
    }

    /**
     * Sets the name of a new object that has none: late, when it is generated, as defaults and ownership do not see it.
     */
    static void setName(Write write) {
        if (write.operation() == Operation.CREATE && !write.target().name().isEmpty()) {
            write.metadata().put("name", write.target().name());
        }
    }

    static void checkName(String name, Target target) {
        if (name.isEmpty()) {
            throw Refusal.badRequest("the name of the object (" + target.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(target.name())) {
            throw Refusal.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
    }

    private static void checkVersion(JsonObject metadata, Store.Entry entry, Target target) {
        String version = metadata.string("resourceVersion");
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

    /** Checks the uid of a replacement, which is a precondition. */
    static void checkUid(JsonObject metadata, JsonObject old, Target target) {
        checkPrecondition("UID", metadata.string("uid"), old.string("uid"), target);
    }

    /** Checks the uid and the version of a posted document, which are preconditions. */
    static void checkPreconditions(JsonObject metadata, JsonObject old, Target target) {
        checkUid(metadata, old, target);
        checkPrecondition("ResourceVersion", metadata.string("resourceVersion"), old.string("resourceVersion"), target);
    }

    private static void checkPrecondition(String field, String wanted, String present, Target target) {
        if (!wanted.isEmpty() && !wanted.equals(present)) {
            throw Refusal.conflict(
                    target.type(),
                    target.name(),
                    "StorageError: invalid object, Code: 4, Key: " + storageKey(target)
                            + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: " + field
                            + " in precondition: " + wanted + ", " + field + " in object meta: " + present);
        }
    }

    /** Returns the key of an object in upstream's store: built-in kinds are stored by their plural only. */
    private static String storageKey(Target target) {
        String group = target.type().group();
        boolean whole = target.type().origin() != ResourceType.Origin.BUILT_IN || STORED_BY_GROUP.contains(group);
        String plural = target.type().plural();
        String prefix = switch (target.type().id()) {
            case "endpoints", "services" -> "services/" + (plural.equals("services") ? "specs" : plural);
            case "ingresses.networking.k8s.io" -> "ingress";
            case "nodes" -> "minions";
            case "replicationcontrollers" -> "controllers";
            default -> whole ? group + "/" + plural : plural;
        };
        return "/" + prefix + "/" + (target.namespace().isEmpty() ? "" : target.namespace() + "/") + target.name();
    }

    /**
     * Checks that a patch does not change the uid, which is an immutable field there: both of upstream's checks report
     * it.
     */
    private static void checkSameUid(JsonObject metadata, JsonObject old, Target target) {
        String uid = metadata.string("uid");
        if (!uid.isEmpty() && !uid.equals(old.string("uid"))) {
            FieldError immutable = FieldError.invalid("metadata.uid", uid, "field is immutable");
            throw Refusal.invalid(target.type(), target.name(), List.of(immutable, immutable));
        }
    }
}
