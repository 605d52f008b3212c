package dev.evenkeel.engine.internal.type;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource: names, scope, rules and versions. All versions share one storage, under {@link #id()}.
 *
 * @param group API group; empty for the core group
 * @param kind such as {@code Deployment}
 * @param listKind such as {@code DeploymentList}
 * @param plural such as {@code deployments}: the name in URLs
 * @param singular such as {@code deployment}
 * @param shortNames such as {@code deploy}
 * @param categories such as {@code all}
 * @param namespaced whether objects live in namespaces
 * @param origin where the type comes from
 * @param rules how objects of the type behave
 * @param versions in order of preference
 */
public record ResourceType(
        String group,
        String kind,
        String listKind,
        String plural,
        String singular,
        List<String> shortNames,
        List<String> categories,
        boolean namespaced,
        Origin origin,
        Rules rules,
        List<Version> versions) {

    /** Where a type comes from. */
    public enum Origin {
        /** The fact table of Kubernetes' own kinds. */
        BUILT_IN,
        /** A CustomResourceDefinition. */
        CUSTOM,
        /** Registered from Java. */
        REGISTERED
    }

    /**
     * How objects of a type behave.
     *
     * @param verbs served verbs, as in discovery
     * @param generation whether {@code metadata.generation} counts changes
     * @param createOnUpdate whether PUT to a free name creates
     * @param unconditionalUpdate whether PUT without resourceVersion is accepted
     * @param deleteReturnsObject whether a finished delete answers with the object rather than a Status
     */
    public record Rules(
            List<String> verbs,
            boolean generation,
            boolean createOnUpdate,
            boolean unconditionalUpdate,
            boolean deleteReturnsObject) {
        /** All verbs. */
        public static final List<String> ALL_VERBS =
                List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

        /** The rules of custom resources. */
        public static final Rules CUSTOM = new Rules(ALL_VERBS, true, false, false, false);
    }

    /** Which names objects may have. */
    public enum Names {
        /** RFC 1123 subdomain, up to 253 characters. */
        SUBDOMAIN,
        /** RFC 1123 label, up to 63 characters. */
        LABEL,
        /** RFC 1035 label, up to 63 characters. */
        LABEL_1035,
        /** Whatever fits into a path segment. */
        PATH_SEGMENT
    }

    /**
     * One version of a resource.
     *
     * @param name such as {@code v1}
     * @param served whether requests may use it
     * @param storage whether objects are stored in it
     * @param schema the shape of whole objects, apiVersion, kind and metadata included
     * @param status whether {@code /status} is served, and {@code status} is hidden from the main endpoint
     * @param scale the {@code /scale} subresource
     * @param selectableFields fields that field selectors may use beyond name and namespace
     * @param columns what tables show
     * @param deprecation warning sent with every answer; empty when not deprecated
     */
    public record Version(
            String name,
            boolean served,
            boolean storage,
            Schema schema,
            boolean status,
            Optional<Scale> scale,
            List<SelectableField> selectableFields,
            List<Column> columns,
            String deprecation) {
        /** Identity: a changed definition makes another version, and an unchanged one stays the same instance. */
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    /**
     * Where the scale of an object is found; paths are dotted, such as {@code .spec.replicas}.
     *
     * @param specReplicas desired replicas
     * @param statusReplicas observed replicas
     * @param labelSelector label selector in text form; empty when there is none
     */
    public record Scale(String specReplicas, String statusReplicas, String labelSelector) {}

    /**
     * A field that selectors may use.
     *
     * @param label what selectors write, such as {@code spec.nodeName}
     * @param path where the value is in the stored form, as keys from the root
     * @param absent what counts as the value of objects without one: {@code false} and {@code 0} where the type of the
     *     field knows no unset, else empty
     */
    public record SelectableField(String label, List<String> path, String absent) {
        /** A field whose absence is the empty text. */
        public SelectableField(String label, List<String> path) {
            this(label, path, "");
        }
    }

    /**
     * A column of a table.
     *
     * @param name heading
     * @param type string, integer, number, boolean or date
     * @param format such as {@code name}; empty when none
     * @param description for people
     * @param priority 0 is always shown, above that only in wide tables
     * @param path JSONPath into the object; of built-in kinds the rule of the cell, empty when the kind computes it
     */
    public record Column(String name, String type, String format, String description, int priority, String path) {}

    /** Identity: a changed definition makes another type, and an unchanged one stays the same instance. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** {@code plural.group}, or {@code plural} in the core group: the name in messages, unique in a partition. */
    public String id() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** {@code Kind.group}, or {@code Kind} in the core group: the name in validation messages. */
    public String qualifiedKind() {
        return group.isEmpty() ? kind : kind + "." + group;
    }

    /** {@code group/version}, or {@code version} in the core group. */
    public String apiVersion(Version version) {
        return group.isEmpty() ? version.name() : group + "/" + version.name();
    }

    /** The version of that name. */
    public Optional<Version> version(String name) {
        return versions.stream().filter(v -> v.name().equals(name)).findFirst();
    }

    /** The version in which objects are stored. */
    public Version storageVersion() {
        return versions.stream().filter(Version::storage).findFirst().orElseGet(versions::getFirst);
    }
}
