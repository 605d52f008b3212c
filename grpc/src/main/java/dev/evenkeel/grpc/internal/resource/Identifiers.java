package dev.evenkeel.grpc.internal.resource;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.Type;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the identifiers in requests: the one validator of all calls, so that they agree about what is wrong, and how it
 * is reported.
 *
 * <p>Parts of a tenancy that are empty are {@code default}, as far as the scope of the type has them; the request itself is
 * not changed.
 *
 * @param prefix the field of the request that is checked, such as {@code resource.id}; empty for the request itself
 * @param wildcards whether {@code *} stands for all partitions or namespaces
 */
public record Identifiers(String prefix, boolean wildcards) {
    private static final String DEFAULT = "default";

    /** Checks the scope of lists. */
    public static final Identifiers LISTS = new Identifiers("", true);

    /** Checks the identifier in a field. */
    public static Identifiers in(String field) {
        return new Identifiers(field, false);
    }

    /** Returns the partition of a tenancy; the default one when it is empty. */
    public static String partition(Tenancy tenancy) {
        return tenancy.getPartition().isEmpty() ? Engine.DEFAULT_PARTITION : tenancy.getPartition();
    }

    /** Returns the partition that keeps the resources of a type in a tenancy. */
    private static String partition(Tenancy tenancy, ServedType type) {
        return type.global() ? Engine.SYSTEM_PARTITION : partition(tenancy);
    }

    private String at(String field) {
        return prefix.isEmpty() ? field : prefix + "." + field;
    }

    /**
     * Checks an identifier.
     *
     * @return the resource; null when violations were found
     */
    public @Nullable ResourceRef check(boolean present, ID id, TypeTable types, Violations violations) {
        if (!present) {
            violations.required(prefix);
            return null;
        }
        int before = violations.size();
        Optional<ServedType> type = type(id.hasType(), id.getType(), types, violations);
        name(id.getName(), type, violations);
        tenancy(id.getTenancy(), type, violations);
        if (violations.size() > before || type.isEmpty()) {
            return null;
        }
        String namespace = type.get().namespaced() ? orDefault(id.getTenancy().getNamespace()) : "";
        return new ResourceRef(
                type.get(), partition(id.getTenancy(), type.get()), namespace, id.getName(), id.getUid());
    }

    /**
     * Checks the scope of a list.
     *
     * @return the scope; null when violations were found
     */
    public @Nullable ListScope check(
            Optional<ServedType> type, Tenancy tenancy, String namePrefix, Violations violations) {
        int before = violations.size();
        tenancy(tenancy, type, violations);
        boolean free = type.filter(ServedType::builtIn).isPresent();
        if (!free && !namePrefix.chars().allMatch(Identifiers::inName)) {
            violations.invalid(
                    at("name_prefix"), "must be lowercase alphanumeric, '-' or '.', got: \"" + namePrefix + "\"");
        }
        if (violations.size() > before || type.isEmpty()) {
            return null;
        }
        String namespace = type.get().namespaced() ? orDefault(tenancy.getNamespace()) : "";
        return new ListScope(
                partition(tenancy, type.get()), namespace.equals(ListScope.ALL) ? "" : namespace, namePrefix);
    }

    private static String orDefault(String namespace) {
        return namespace.isEmpty() ? DEFAULT : namespace;
    }

    private static boolean inName(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    }

    /** Checks a type, and that it is registered. */
    public Optional<ServedType> type(boolean present, Type type, TypeTable types, Violations violations) {
        if (!present) {
            violations.required(at("type"));
            return Optional.empty();
        }
        if (type.getGroupVersion().isEmpty()) {
            violations.required(at("type.group_version"));
        }
        if (type.getKind().isEmpty()) {
            violations.required(at("type.kind"));
        }
        Optional<ServedType> found = types.find(type);
        if (found.isEmpty()
                && !type.getGroupVersion().isEmpty()
                && !type.getKind().isEmpty()) {
            violations.add(at("type"), "resource type " + ServedType.text(type) + " not registered");
        }
        return found;
    }

    private void name(String name, Optional<ServedType> type, Violations violations) {
        if (name.isEmpty()) {
            violations.required(at("name"));
            return;
        }
        boolean free = type.filter(ServedType::builtIn).isPresent();
        List<String> problems = free ? Names.pathSegment(name) : Names.subdomain(name);
        if (!problems.isEmpty()) {
            violations.invalid(at("name"), String.join(", ", problems) + ", got: \"" + name + "\"");
        }
    }

    private void tenancy(Tenancy tenancy, Optional<ServedType> type, Violations violations) {
        label("tenancy.partition", tenancy.getPartition(), violations);
        label("tenancy.namespace", tenancy.getNamespace(), violations);
        type.ifPresent(known -> scope(known, tenancy, violations));
    }

    private void scope(ServedType type, Tenancy tenancy, Violations violations) {
        String partition = tenancy.getPartition();
        String namespace = tenancy.getNamespace();
        if (type.global() && !allowed(partition)) {
            violations.add(
                    at("tenancy.partition"),
                    "cluster scoped resource " + type.text() + " cannot have a partition: " + partition);
        }
        if (!type.namespaced() && !allowed(namespace)) {
            violations.add(
                    at("tenancy.namespace"),
                    type.global()
                            ? "cluster scoped resource " + type.text() + " cannot have a namespace: " + namespace
                            : "partition scoped resource " + type.text() + " cannot have a namespace. got: "
                                    + namespace);
        }
    }

    /** Returns true if a part of a tenancy may be given to a type that does not have it. */
    private boolean allowed(String part) {
        return part.isEmpty() || (wildcards && part.equals(ListScope.ALL));
    }

    private void label(String field, String value, Violations violations) {
        if (value.isEmpty() || (wildcards && value.equals(ListScope.ALL))) {
            return;
        }
        List<String> problems = Names.label(value);
        if (!problems.isEmpty()) {
            violations.invalid(at(field), String.join(", ", problems) + ", got: \"" + value + "\"");
        }
    }
}
