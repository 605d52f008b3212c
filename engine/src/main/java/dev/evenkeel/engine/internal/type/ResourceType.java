package dev.evenkeel.engine.internal.type;

import dev.evenkeel.engine.internal.json.JsonObject;
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
 * @param origin the origin of the type
 * @param rules the behaviour of objects of the type
 * @param versions in order of preference
 * @param conversion the webhook that converts between the versions, as in the definition; empty when they differ in
 *     nothing but the name
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
        List<Version> versions,
        Optional<JsonObject> conversion) {

    /** Creates a type whose versions differ in nothing but the name. */
    public ResourceType(
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
        this(
                group,
                kind,
                listKind,
                plural,
                singular,
                shortNames,
                categories,
                namespaced,
                origin,
                rules,
                versions,
                Optional.empty());
    }

    public enum Origin {
        /** The fact table of Kubernetes' own kinds. */
        BUILT_IN,
        /** A CustomResourceDefinition. */
        CUSTOM,
        /** Registered from Java. */
        REGISTERED
    }

    /**
     * The behaviour of objects of a type.
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
        public static final List<String> ALL_VERBS =
                List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

        /** The rules of custom resources. */
        public static final Rules CUSTOM = new Rules(ALL_VERBS, true, false, false, false);
    }

    /** The rule for names of objects. */
    public enum Names {
        /** RFC 1123 subdomain, up to 253 characters. */
        SUBDOMAIN,
        /** The same in kinds whose rules upstream generates: with another message. */
        LONG_NAME,
        /** RFC 1123 label, up to 63 characters. */
        LABEL,
        PATH_SEGMENT,
        /** An IP address in its canonical form. */
        ADDRESS
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
     * @param selectableFields fields that field selectors may use in addition to name and namespace
     * @param columns the columns of tables
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
        /** Returns the version with another schema. */
        public Version withSchema(Schema other) {
            return new Version(name, served, storage, other, status, scale, selectableFields, columns, deprecation);
        }

        /**
         * Compares by identity: a changed definition creates another version, and an unchanged one keeps the same
         * instance.
         */
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
     * The paths of the scale of an object; dotted, such as {@code .spec.replicas}.
     *
     * @param specReplicas desired replicas
     * @param statusReplicas observed replicas
     * @param labelSelector label selector in text form; empty when there is none
     */
    public record Scale(String specReplicas, String statusReplicas, String labelSelector) {}

    /**
     * A field that selectors may use.
     *
     * @param label the name in selectors, such as {@code spec.nodeName}
     * @param path the path of the value in the stored form, as keys from the root
     * @param instead the path of the value of objects without the field; empty when there is none
     * @param absent the value of objects without either: {@code false} and {@code 0} where the type of the field has no
     *     unset state, else empty
     */
    public record SelectableField(String label, List<String> path, List<String> instead, String absent) {
        /** Creates a field whose absence counts as the empty text. */
        public SelectableField(String label, List<String> path) {
            this(label, path, List.of(), "");
        }
    }

    /**
     * A column of a table.
     *
     * @param name heading
     * @param type string, integer, number, boolean or date
     * @param format such as {@code name}; empty when none
     * @param description an explanation for users
     * @param priority 0 is always shown, above that only in wide tables
     * @param path JSONPath into the object; of built-in kinds the rule of the cell, empty when the kind computes it
     */
    public record Column(String name, String type, String format, String description, int priority, String path) {}

    /**
     * Compares by identity: a changed definition creates another type, and an unchanged one keeps the same instance.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /**
     * Returns {@code plural.group}, or {@code plural} in the core group: the name in messages, unique in a partition.
     */
    public String id() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Returns {@code Kind.group}, or {@code Kind} in the core group: the name in validation messages. */
    public String qualifiedKind() {
        return group.isEmpty() ? kind : kind + "." + group;
    }

    /** Returns {@code group/version}, or {@code version} in the core group. */
    public String apiVersion(Version version) {
        return group.isEmpty() ? version.name() : group + "/" + version.name();
    }

    /** Returns the version of that name. */
    public Optional<Version> version(String name) {
        return versions.stream().filter(v -> v.name().equals(name)).findFirst();
    }

    /** Returns the version in which objects are stored. */
    public Version storageVersion() {
        for (Version version : versions) {
            if (version.storage()) {
                return version;
            }
        }
        return versions.getFirst();
    }
}
