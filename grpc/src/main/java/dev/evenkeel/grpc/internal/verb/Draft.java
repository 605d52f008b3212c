package dev.evenkeel.grpc.internal.verb;

import com.google.protobuf.Any;
import com.google.protobuf.Timestamp;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.internal.resource.Content;
import dev.evenkeel.grpc.internal.resource.Identifiers;
import dev.evenkeel.grpc.internal.resource.ResourceCodec;
import dev.evenkeel.grpc.internal.resource.ResourceRef;
import dev.evenkeel.grpc.internal.resource.ServedType;
import dev.evenkeel.grpc.internal.resource.StatusCodec;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A write of a resource: the function from the present object to the wanted one, with the rules of the service.
 *
 * <p>States of a resource and what a write may do in them:
 *
 * <table>
 * <caption>Transitions</caption>
 * <tr><th>state</th><th>allowed</th></tr>
 * <tr><td>absent</td><td>create, without uid, version, status and deletion time</td></tr>
 * <tr><td>live</td><td>change anything but the owner and the status</td></tr>
 * <tr><td>marked for deletion</td><td>remove finalizers; the last one deletes it</td></tr>
 * </table>
 *
 * @param user the sender, who may create or update resources of the type here; which of them is decided by the state
 * @param owner the owner in the request, with defaults; null when there is none
 */
record Draft(
        Located located,
        ResourceApi partition,
        User user,
        Resource wanted,
        Mask mask,
        @Nullable ResourceRef owner) {
    private static final String STATUS =
            "resource.status can only be set using the WriteStatus endpoint; leave it out, or as it was read";

    /** The number of labels, of finalizers, and of entries of the metadata. */
    private static final int MOST_ENTRIES = 1_000;

    /** Checks the parts of a request that need no present object. */
    static Draft of(
            Located located, ResourceApi partition, User user, Resource wanted, Mask mask, Violations violations) {
        limit("resource.labels", wanted.getLabelsCount(), violations);
        limit("resource.metadata", wanted.getMetadataCount(), violations);
        limit("resource.finalizers", wanted.getFinalizersCount(), violations);
        violations.check();
        ResourceRef owner = wanted.hasOwner() ? owner(located, wanted, violations) : null;
        if (wanted.hasData() && mask.changesData()) {
            located.ref().type().content().put(wanted.getData(), new JsonObject(), "resource.data", violations);
        }
        violations.check();
        return new Draft(located, partition, user, wanted, mask, owner);
    }

    private static void limit(String field, int entries, Violations violations) {
        if (entries > MOST_ENTRIES) {
            violations.invalid(field, "it has " + entries + " entries, at most " + MOST_ENTRIES + " are allowed");
        }
    }

    private static @Nullable ResourceRef owner(Located located, Resource wanted, Violations violations) {
        ResourceRef ref = located.ref();
        Tenancy given = wanted.getOwner().getTenancy();
        Tenancy.Builder tenancy = given.toBuilder();
        boolean global = located.types()
                .find(wanted.getOwner().getType())
                .filter(ServedType::global)
                .isPresent();
        if (given.getPartition().isEmpty() && !global) {
            tenancy.setPartition(ref.partition());
        }
        boolean namespaced = located.types()
                .find(wanted.getOwner().getType())
                .filter(ServedType::namespaced)
                .isPresent();
        if (namespaced && given.getNamespace().isEmpty()) {
            tenancy.setNamespace(ref.namespace());
        }
        ID id = wanted.getOwner().toBuilder().setTenancy(tenancy).build();
        ResourceRef owner = Identifiers.in("resource.owner").check(true, id, located.types(), violations);
        if (owner == null) {
            return null;
        }
        if (!owner.partition().equals(ref.partition())) {
            violations.invalid(
                    "resource.owner.tenancy.partition",
                    "an owner is in the partition of the resource, got: \"" + owner.partition() + "\"");
        }
        if (!owner.namespace().isEmpty() && !owner.namespace().equals(ref.namespace())) {
            violations.invalid(
                    "resource.owner.tenancy.namespace",
                    "an owner is in the namespace of the resource, or in none, got: \"" + owner.namespace() + "\"");
        }
        return owner;
    }

    /** Returns the wanted object. */
    JsonObject from(@Nullable JsonObject live) {
        return live == null ? created() : changed(live);
    }

    private JsonObject created() {
        ResourceRef ref = located.ref();
        if (!wanted.getVersion().isEmpty()) {
            throw Errors.versionMismatch(wanted.getVersion(), "");
        }
        if (!ref.uid().isEmpty()) {
            throw located.notFound();
        }
        if (wanted.getStatusCount() > 0) {
            throw Errors.invalid("resource.status", STATUS);
        }
        if (wanted.hasDeletionTimestamp()) {
            throw Errors.invalid(
                    "resource.deletion_timestamp", "resource.deletion_timestamp can't be set on resource creation");
        }
        return blank();
    }

    /** Returns an object with nothing but the fields of the request. */
    private JsonObject blank() {
        ResourceRef ref = located.ref();
        JsonObject metadata = new JsonObject().set("name", ref.name()).setUnlessEmpty("namespace", ref.namespace());
        JsonObject tree = new JsonObject()
                .set("apiVersion", ref.target().apiVersion())
                .set("kind", ref.target().type().kind())
                .set("metadata", metadata);
        fill(tree, mask.has("finalizers"));
        if (owner != null) {
            metadata.put("ownerReferences", new ArrayList<>(List.of(reference(owner))));
        }
        return tree;
    }

    /**
     * Returns the fields of the request as a configuration to apply to the present object, on the condition that it does not
     * change meanwhile.
     */
    JsonObject configuration(@Nullable JsonObject live) {
        if (live == null) {
            return created();
        }
        located.requireSame(wanted.getVersion(), live);
        if (owner != null) {
            requireOwner(live.object("metadata"));
        }
        if (live.has("metadata", "deletionTimestamp")) {
            throw frozen("resource", "cannot apply");
        }
        if (wanted.getStatusCount() > 0) {
            throw Errors.invalid("resource.status", STATUS);
        }
        JsonObject tree = blank();
        tree.withObject("metadata").copyMember("resourceVersion", live.object("metadata"));
        return tree;
    }

    private JsonObject changed(JsonObject live) {
        located.requireSame(wanted.getVersion(), live);
        located.session().require(user, located.ref().target(), "update");
        requireOwner(live.object("metadata"));
        if (wanted.getStatusCount() > 0
                && !new StatusCodec(located.types())
                        .statuses(located.ref().type(), live)
                        .equals(wanted.getStatusMap())) {
            throw Errors.invalid("resource.status", STATUS);
        }
        requireDeletion(live);
        boolean compared = !wanted.getVersion().isEmpty();
        boolean finalizers =
                mask.fields().contains("finalizers") || (mask.all() && (compared || wanted.getFinalizersCount() > 0));
        JsonObject tree = live.copy();
        fill(tree, finalizers);
        if (live.has("metadata", "deletionTimestamp")) {
            requireFrozen(live, tree);
        }
        return tree;
    }

    /** Puts the fields of the request into an object. */
    private void fill(JsonObject tree, boolean finalizers) {
        JsonObject metadata = tree.withObject("metadata");
        if (mask.has("metadata")) {
            metadata.setOrRemove("annotations", object(wanted.getMetadataMap()));
        }
        if (mask.has("labels")) {
            metadata.setOrRemove("labels", object(wanted.getLabelsMap()));
        }
        if (finalizers) {
            metadata.setOrRemove("finalizers", new ArrayList<>(wanted.getFinalizersList()));
        }
        if (mask.has("data")) {
            put(tree);
        } else if (!mask.data().isEmpty()) {
            JsonObject given = tree.copy();
            put(given);
            for (List<String> names : mask.data()) {
                copy(located.ref().type().content().path(names), given, tree);
            }
        }
    }

    private void put(JsonObject tree) {
        Content content = located.ref().type().content();
        Any data = wanted.getData();
        if (wanted.hasData()) {
            Violations violations = new Violations();
            content.put(data, tree, "resource.data", violations);
            violations.check();
        } else {
            content.remove(tree);
        }
    }

    private static void copy(List<String> path, JsonObject from, JsonObject to) {
        JsonObject source = from;
        JsonObject place = to;
        for (String name : path.subList(0, path.size() - 1)) {
            source = source.object(name);
            if (source.isEmpty() && !place.has(name)) {
                return;
            }
            place = place.withObject(name);
        }
        String last = path.getLast();
        if (source.containsKey(last)) {
            place.put(last, Json.copy(source.get(last)));
        } else {
            place.remove(last);
        }
    }

    private static JsonObject object(Map<String, String> map) {
        return new JsonObject(new TreeMap<>(map));
    }

    private JsonObject reference(ResourceRef to) {
        if (located.session().allows(user, to.target(), "get")) {
            Optional<JsonObject> found = Located.find(partition, to.target(), user);
            String uid = found.map(tree -> tree.string("metadata", "uid")).orElse("");
            if (found.isPresent() && (to.uid().isEmpty() || to.uid().equals(uid))) {
                return new JsonObject()
                        .set("apiVersion", to.target().apiVersion())
                        .set("kind", to.target().type().kind())
                        .set("name", to.name())
                        .set("uid", uid)
                        .set("controller", true)
                        .set("blockOwnerDeletion", true);
            }
        }
        throw Errors.invalid(
                "resource.owner",
                "resource.owner does not exist" + (to.uid().isEmpty() ? "" : " with uid " + to.uid())
                        + ", or must not be read: " + to.name());
    }

    private void requireOwner(JsonObject metadata) {
        Optional<JsonObject> present = ResourceCodec.owner(metadata);
        if (!mask.all() && owner == null) {
            return;
        }
        boolean same = owner == null
                ? present.isEmpty()
                : present.filter(reference -> isReference(reference, owner)).isPresent();
        if (!same) {
            throw Errors.invalid("resource.owner", "owner cannot be changed");
        }
    }

    private static boolean isReference(JsonObject reference, ResourceRef owner) {
        String apiVersion = reference.string("apiVersion");
        int slash = apiVersion.indexOf('/');
        return reference.string("kind").equals(owner.target().type().kind())
                && (slash < 0 ? "" : apiVersion.substring(0, slash))
                        .equals(owner.target().type().group())
                && reference.string("name").equals(owner.name())
                && (owner.uid().isEmpty() || owner.uid().equals(reference.string("uid")));
    }

    private void requireDeletion(JsonObject live) {
        boolean marked = live.has("metadata", "deletionTimestamp");
        if (!wanted.hasDeletionTimestamp()) {
            if (marked && mask.all() && !wanted.getVersion().isEmpty()) {
                throw Errors.invalid("resource.deletion_timestamp", "cannot remove deletionTimestamp");
            }
            return;
        }
        if (!marked) {
            throw Errors.invalid(
                    "resource.deletion_timestamp", "resource.deletion_timestamp can only be set by Delete");
        }
        Timestamp present = located.resource(live).getDeletionTimestamp();
        if (!present.equals(wanted.getDeletionTimestamp())) {
            throw Errors.invalid("resource.deletion_timestamp", "cannot modify deletionTimestamp");
        }
    }

    /** Refuses a change of a resource that is marked for deletion, other than the removal of finalizers. */
    private void requireFrozen(JsonObject live, JsonObject tree) {
        JsonObject before = live.object("metadata");
        JsonObject after = tree.object("metadata");
        if (!content(live).equals(content(tree))) {
            throw frozen("resource.data", "cannot modify data");
        }
        if (!before.object("annotations").equals(after.object("annotations"))
                || !before.object("labels").equals(after.object("labels"))) {
            throw frozen("resource.metadata", "cannot modify metadata");
        }
        if (!before.strings("finalizers").containsAll(after.strings("finalizers"))) {
            throw frozen("resource.finalizers", "expected at least one finalizer to be removed, and none to be added");
        }
    }

    private static JsonObject content(JsonObject tree) {
        JsonObject content = new JsonObject(tree);
        content.remove("metadata");
        return content;
    }

    private static RuntimeException frozen(String field, String message) {
        return Errors.of(
                Code.INVALID_ARGUMENT,
                "MARKED_FOR_DELETION",
                message + ": the resource is marked for deletion",
                BadRequest.newBuilder()
                        .addFieldViolations(Errors.violation(field, message))
                        .build());
    }
}
