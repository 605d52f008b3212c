package dev.evenkeel.grpc.internal.resource;

import com.google.protobuf.Any;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.grpc.resource.v1.Type;

/**
 * A type as the service serves it.
 *
 * @param type its name in one of its versions
 * @param target the same in the engine, without namespace and name
 * @param content the form of its data
 */
public record ServedType(Type type, Target target, Content content) {
    /** Returns {@code group.version.Kind}; without a group for types that have none. */
    public static String text(Type type) {
        String prefix = type.getGroup().isEmpty() ? "" : type.getGroup() + ".";
        return prefix + type.getGroupVersion() + "." + type.getKind();
    }

    /** Returns {@code group.version.Kind}. */
    public String text() {
        return text(type);
    }

    /** Returns true if resources of the type live in namespaces. */
    public boolean namespaced() {
        return target.type().namespaced();
    }

    /** Returns true if resources are one for all partitions: they have neither a partition nor a namespace. */
    public boolean global() {
        return content instanceof MessageContent message
                && message.format().options().global();
    }

    /** Returns true if the status of the type is written by WriteStatus. */
    public boolean hasStatus() {
        return target.version().status();
    }

    /** Returns true if there is one status for each key: the status is a map, or the type is defined in protobuf. */
    public boolean keyedStatus() {
        if (content instanceof MessageContent) {
            return true;
        }
        Schema status = target.version().schema().property("status");
        return hasStatus() && status != null && status.additional() != null;
    }

    /** Returns true if names obey the rule of the kind, which may be wider than that of a DNS subdomain. */
    public boolean builtIn() {
        return target.type().origin() == ResourceType.Origin.BUILT_IN;
    }

    /** Returns the target of a resource, or of the resources of a namespace. */
    public Target target(String namespace, String name) {
        return target.withName(namespace, name);
    }

    /** Returns the target of the status of a resource. */
    public Target statusTarget(String namespace, String name) {
        return new Target(target.type(), target.version(), namespace, name, "status");
    }

    /** Returns the field of a resource that is at a path of the object, such as {@code resource.data.genre}. */
    public String field(String path) {
        String[][] known = {
            {"metadata.annotations", "resource.metadata"},
            {"metadata.labels", "resource.labels"},
            {"metadata.finalizers", "resource.finalizers"},
            {"metadata.ownerReferences", "resource.owner"},
            {"metadata.namespace", "resource.id.tenancy.namespace"},
            {"metadata.name", "resource.id.name"},
            {"metadata.uid", "resource.id.uid"},
            {"metadata.resourceVersion", "resource.version"},
            {"status", "resource.status"}
        };
        for (String[] pair : known) {
            String rest = path.startsWith(pair[0]) ? path.substring(pair[0].length()) : "-";
            if (rest.isEmpty() || rest.startsWith(".") || rest.startsWith("[")) {
                return pair[1] + rest;
            }
        }
        String field = content.field(path);
        return field.isEmpty() ? "resource.data" : "resource.data." + field;
    }

    /** Returns an Any without content, to be compared with data that is absent. */
    static boolean absent(Any data) {
        return data.equals(Any.getDefaultInstance());
    }
}
