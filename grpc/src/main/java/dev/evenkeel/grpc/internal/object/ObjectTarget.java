package dev.evenkeel.grpc.internal.object;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Session;
import dev.evenkeel.grpc.resource.v1.ObjectCollection;
import java.util.List;

/**
 * The checked target of a call, which its sender may use a verb on.
 *
 * @param user the sender as it acts in the partition
 */
public record ObjectTarget(Session session, ResourceApi partition, Target target, User user) {
    private static final String LIST = "list";
    private static final String WATCH = "watch";

    /**
     * A verb, and what it is used on.
     *
     * @param name of the object; empty where the call has none
     * @param subresource empty for the object itself
     */
    private record Use(String verb, String name, String subresource) {}

    /** Returns the target of a call on an object. */
    static ObjectTarget of(Access access, ObjectCollection collection, String name, String subresource, String verb) {
        Session session = enter(access, collection);
        if (name.isEmpty()) {
            throw Refusal.badRequest("name: must not be empty");
        }
        checkName(Names.pathSegment(name), "name", name);
        return of(session, collection, new Use(verb, name, subresource), name);
    }

    /**
     * Returns the target of a call on many objects.
     *
     * @param permissionName the name that the permission may be limited to; empty for none
     */
    public static ObjectTarget of(Access access, ObjectCollection collection, String verb, String permissionName) {
        return of(enter(access, collection), collection, new Use(verb, "", ""), permissionName);
    }

    private static Session enter(Access access, ObjectCollection collection) {
        Session session = access.enter(partition(collection));
        String partition = partition(collection);
        if (!Engine.isPartitionName(partition)) {
            throw Refusal.badRequest("collection.partition: \"" + partition
                    + "\" is not a name of lower case letters, digits and '-', at most 63, such as \"team-a\"");
        }
        if (!collection.getNamespace().isEmpty()) {
            checkName(Names.label(collection.getNamespace()), "collection.namespace", collection.getNamespace());
        }
        return session;
    }

    private static String partition(ObjectCollection collection) {
        return collection.getPartition().isEmpty() ? Engine.DEFAULT_PARTITION : collection.getPartition();
    }

    private static void checkName(List<String> problems, String field, String value) {
        if (!problems.isEmpty()) {
            throw Refusal.badRequest(field + ": \"" + value + "\": " + String.join(", ", problems));
        }
    }

    private static ObjectTarget of(Session session, ObjectCollection collection, Use use, String permissionName) {
        Target found = resource(session.types(), collection);
        Target target =
                new Target(found.type(), found.version(), collection.getNamespace(), use.name(), use.subresource());
        User user = session.authorize(
                new Target(target.type(), target.version(), target.namespace(), permissionName, target.subresource()),
                use.verb());
        ResourceApi partition = session.partition()
                .orElseThrow(() -> ApiException.of(
                        Status.of(404, "NotFound", "partition \"" + session.partitionName() + "\" not found")));
        check(target, use.verb());
        return new ObjectTarget(session, partition, target, user);
    }

    private static Target resource(ResourceApi partition, ObjectCollection collection) {
        return partition
                .resource(collection.getGroup(), collection.getVersion(), collection.getPlural())
                .orElseThrow(Refusal::noSuchResource);
    }

    /** Refuses a call that the type does not support. */
    private static void check(Target target, String verb) {
        ResourceType type = target.type();
        boolean anyNamespace = verb.equals(LIST) || verb.equals(WATCH);
        if (!type.namespaced() && !target.namespace().isEmpty()) {
            throw Refusal.badRequest("collection.namespace: " + type.id() + " are cluster-scoped, and \""
                    + target.namespace() + "\" is given");
        }
        if (type.namespaced() && target.namespace().isEmpty() && !anyNamespace) {
            throw Refusal.badRequest("collection.namespace: " + type.id() + " live in namespaces, and none is given");
        }
        boolean served = switch (target.subresource()) {
            case "status" -> target.version().status();
            case "scale" -> target.version().scale().isPresent();
            default -> true;
        };
        if (!served) {
            // an unknown path for built-in types, an unknown object for custom resources
            throw type.origin() == ResourceType.Origin.CUSTOM
                    ? Refusal.notFound(type, target.name())
                    : Refusal.noSuchResource();
        }
        if (target.subresource().isEmpty() && !type.rules().verbs().contains(verb)) {
            throw Refusal.noSuchMethod();
        }
    }

    Requester requester() {
        return session.requester(user, partition);
    }

    /**
     * Checks that the credentials are still valid, and that the user still has the permission.
     *
     * @throws ApiException when it has not
     */
    public void recheck(Access access, String verb) {
        var unused = access.enter(session.partitionName(), session.call()).authorize(target, verb);
    }
}
