package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.internal.DnsNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Records dependencies of the object that is being reconciled, in addition to owned objects and those that an index
 * finds: it is reconciled again when a tracked object is created, changed or deleted.
 *
 * <p>A dependency holds for twice the {@linkplain Controller#resyncInterval interval} of the controller after it was last
 * recorded, or until the object is deleted. So each reconciliation tracks what it needs, and former dependencies
 * expire. With an interval of zero they hold until the object is deleted.
 */
public interface Tracker {
    /**
     * Records a dependency of the object.
     *
     * @throws IllegalArgumentException when the controller does not {@linkplain Controller#tracks track} the kind, or
     *     the namespace is none of {@linkplain Manager.Builder#namespaces the manager's}: changes would not be noticed
     */
    void track(Target tracked);

    /** Returns the client of {@link #find} and {@link #list} for kinds without a cache. */
    Client client();

    /**
     * Tracks an object and reads it; it is tracked also when it is missing, or reading fails.
     *
     * <p>It is read from the cache of its kind, if the controller has one of whole objects of this class without a
     * selection: a later change triggers. Otherwise, as for a kind whose metadata alone are tracked, it is read with the
     * {@link #client}.
     */
    default <O extends HasMetadata> Optional<O> find(Kind<O> kind, ObjectKey key) {
        track(Target.of(kind, key));
        return client().find(kind, key);
    }

    /** Tracks an object of the kind of this class and reads it. */
    default <O extends HasMetadata> Optional<O> find(Class<O> type, ObjectKey key) {
        return find(Kind.of(type), key);
    }

    /**
     * Tracks the objects of a namespace and label selector and lists them; they are tracked also when listing fails.
     * Fields narrow what is listed, and not what is tracked.
     *
     * <p>They are read from the cache as by {@link #find}, without a version; with fields, a limit or a version they are
     * listed with the {@link #client}.
     */
    default <O extends HasMetadata> Listing<O> list(Kind<O> kind, ListOptions options) {
        track(Target.selecting(kind, options.namespace(), options.labels()));
        return client().list(kind, options);
    }

    /** Tracks objects of the kind of this class and lists them. */
    default <O extends HasMetadata> Listing<O> list(Class<O> type, ListOptions options) {
        return list(Kind.of(type), options);
    }

    /**
     * A dependency of an object: one other object, or all objects of a kind with selected labels. The version of the
     * kind does not matter, nor whether any such object exists.
     *
     * @param group API group; empty for the core group
     * @param kind kind, such as {@code ConfigMap}
     * @param namespace for a name: that of the object, empty for cluster-scoped ones; for a selector: empty for all
     * @param name name of the object; empty when there is a selector
     * @param selector label selector; empty when there is a name
     */
    record Target(String group, String kind, String namespace, String name, Optional<LabelSelector> selector) {
        private static final int MAX_NAME = 253;
        private static final Pattern KIND = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

        /**
         * Checks each field.
         *
         * @throws IllegalArgumentException with a line for each problem, sorted
         */
        public Target {
            List<String> problems = new ArrayList<>();
            if (!name.isEmpty() && selector.isPresent()) {
                problems.add("name, selector: cannot provide both: \"" + name + "\" and \"" + selector.get()
                        + "\": leave one of them empty");
            }
            if (name.isEmpty() && selector.isEmpty()) {
                problems.add("name, selector: must provide one of them: name an object, or use "
                        + "LabelSelector.everything() for all");
            }
            if (kind.isEmpty()) {
                problems.add("kind: must not be empty: give the kind of the objects, such as ConfigMap");
            } else if (!KIND.matcher(kind).matches()) {
                problems.add("kind: must be a C identifier: \"" + kind + "\": give the kind, such as ConfigMap, "
                        + "without group and version");
            }
            if (!group.isEmpty() && !DnsNames.isSubdomain(group)) {
                problems.add("group: must be empty for the core group, or a lowercase RFC 1123 subdomain: \"" + group
                        + "\": give the group, such as apps, without the version");
            }
            if (!namespace.isEmpty() && !DnsNames.isLabel(namespace)) {
                problems.add("namespace: must be empty, or a lowercase RFC 1123 label of at most 63 characters: \""
                        + namespace + "\"");
            }
            // not a subdomain: there are objects named system:node
            if (name.equals(".") || name.equals("..") || name.indexOf('/') >= 0 || name.indexOf('%') >= 0) {
                problems.add("name: must be neither \".\" nor \"..\" nor contain \"/\" or \"%\": \"" + name
                        + "\": the namespace has a field of its own");
            }
            if (name.length() > MAX_NAME) {
                problems.add("name: must be no longer than " + MAX_NAME + " characters: " + name.length());
            }
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(
                        problems.stream().sorted().collect(Collectors.joining("\n", "invalid Target:\n", "")));
            }
        }

        /**
         * Returns the dependency on one object.
         *
         * @throws IllegalArgumentException when the key is not valid for an object of the kind
         */
        public static Target of(Kind<?> kind, ObjectKey key) {
            if (kind.namespaced() && key.namespace().isEmpty()) {
                throw invalid("namespace: " + kind.id() + " are namespaced, but there is no namespace in " + key
                        + ": use ObjectKey.of(namespace, name)");
            }
            return new Target(kind.group(), kind.kind(), scoped(kind, key.namespace()), key.name(), Optional.empty());
        }

        /**
         * Returns the dependency on all objects with selected labels.
         *
         * @param namespace empty for all
         * @throws IllegalArgumentException when the namespace is invalid, or the kind is cluster-scoped and one is
         *     given
         */
        public static Target selecting(Kind<?> kind, String namespace, LabelSelector selector) {
            return new Target(kind.group(), kind.kind(), scoped(kind, namespace), "", Optional.of(selector));
        }

        private static String scoped(Kind<?> kind, String namespace) {
            if (!kind.namespaced() && !namespace.isEmpty()) {
                throw invalid("namespace: must be empty for " + kind.id() + ", which are cluster-scoped: \"" + namespace
                        + "\"");
            }
            return namespace;
        }

        private static IllegalArgumentException invalid(String problem) {
            return new IllegalArgumentException("invalid Target:\n" + problem);
        }

        /** Returns text such as {@code ConfigMap default/a}, or {@code Deployment.apps default/*{app=web}}. */
        @Override
        public String toString() {
            String type = group.isEmpty() ? kind : kind + "." + group;
            String what = selector.map(labels -> "*{" + labels + "}").orElse(name);
            return type + " " + (namespace.isEmpty() ? "" : namespace + "/") + what;
        }
    }
}
