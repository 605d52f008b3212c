package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.BuiltinResource;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.Defaults;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Names;

/** The facts about one version of a built-in kind: its line of the fact table, and what follows from it. */
record KindFacts(
        ResourceType type,
        ResourceType.Version version,
        BuiltinResource resource,
        Names names,
        Defaults defaults,
        byte[] head) {
    KindFacts(ResourceType type, ResourceType.Version version) {
        this(
                type,
                version,
                BuiltinTypes.resource(type, version).orElseThrow(),
                names(type),
                Defaults.of(type.kind(), version.name()),
                ResourceStrategy.head(type, version));
    }

    private static Names names(ResourceType type) {
        return switch (type.kind()) {
            case "Namespace", "Service" -> Names.LABEL;
            case "APIService",
                    "CertificateSigningRequest",
                    "ClusterRole",
                    "ClusterRoleBinding",
                    "Role",
                    "RoleBinding" -> Names.PATH_SEGMENT;
            default -> Names.SUBDOMAIN;
        };
    }

    /** Returns whether the kind is in the core group. */
    boolean core() {
        return type.group().isEmpty();
    }
}
