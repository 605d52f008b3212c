package dev.evenkeel.controller;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.internal.DnsNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an object may depend on: one other object, or all of a kind with such labels. The version of the kind does not matter,
 * nor whether any such object exists.
 *
 * @param group API group; empty for the core group
 * @param kind such as {@code ConfigMap}
 * @param namespace for a name: that of the object, empty for cluster-scoped ones; for a selector: empty for all
 * @param name of the one object; empty when there is a selector
 * @param selector what is selected; empty when there is a name
 */
public record Tracked(String group, String kind, String namespace, String name, Optional<LabelSelector> selector) {
    private static final int MAX_NAME = 253;
    private static final Pattern KIND = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /**
     * Checks each field.
     *
     * @throws IllegalArgumentException with a line for each thing that is wrong, sorted
     */
    public Tracked {
        List<String> problems = new ArrayList<>();
        if (!name.isEmpty() && selector.isPresent()) {
            problems.add("name, selector: cannot provide both, and they are \"" + name + "\" and \"" + selector.get()
                    + "\": leave one of them empty");
        }
        if (name.isEmpty() && selector.isEmpty()) {
            problems.add("name, selector: must provide one of them, and both are empty: name an object, or use "
                    + "LabelSelector.everything() for all");
        }
        if (kind.isEmpty()) {
            problems.add("kind: must not be empty: give the kind of the objects, such as ConfigMap");
        } else if (!KIND.matcher(kind).matches()) {
            problems.add("kind: must be a C identifier, and is \"" + kind + "\": give the kind, such as ConfigMap, "
                    + "without group and version");
        }
        if (!group.isEmpty() && !DnsNames.isSubdomain(group)) {
            problems.add("group: must be empty for the core group, or a lowercase RFC 1123 subdomain, and is \"" + group
                    + "\": give the group, such as apps, without the version");
        }
        if (!namespace.isEmpty() && !DnsNames.isLabel(namespace)) {
            problems.add("namespace: must be empty, or a lowercase RFC 1123 label of at most 63 characters, and is \""
                    + namespace + "\"");
        }
        // not a subdomain: there are objects called system:node
        if (name.equals(".") || name.equals("..") || name.indexOf('/') >= 0 || name.indexOf('%') >= 0) {
            problems.add("name: must be neither \".\" nor \"..\" nor contain \"/\" or \"%\", and is \"" + name
                    + "\": the namespace has a field of its own");
        }
        if (name.length() > MAX_NAME) {
            problems.add("name: must be no longer than " + MAX_NAME + " characters, and has " + name.length()
                    + ": shorten it");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    problems.stream().sorted().collect(Collectors.joining("\n", "invalid Tracked:\n", "")));
        }
    }

    /**
     * One object.
     *
     * @throws IllegalArgumentException when the key cannot be one of an object of the kind
     */
    public static Tracked of(Kind<?> kind, ObjectKey key) {
        if (kind.namespaced() && key.namespace().isEmpty()) {
            throw invalid("namespace: " + kind.id() + " live in namespaces, and none is given for " + key
                    + ": use ObjectKey.of(namespace, name)");
        }
        return new Tracked(kind.group(), kind.kind(), scoped(kind, key.namespace()), key.name(), Optional.empty());
    }

    /**
     * All objects with such labels.
     *
     * @param namespace empty for all
     * @throws IllegalArgumentException when the namespace is none, or the kind is cluster-scoped and one is given
     */
    public static Tracked selecting(Kind<?> kind, String namespace, LabelSelector selector) {
        return new Tracked(kind.group(), kind.kind(), scoped(kind, namespace), "", Optional.of(selector));
    }

    private static String scoped(Kind<?> kind, String namespace) {
        if (!kind.namespaced() && !namespace.isEmpty()) {
            throw invalid("namespace: " + kind.id() + " are cluster-scoped, and \"" + namespace
                    + "\" is given: leave it empty");
        }
        return namespace;
    }

    private static IllegalArgumentException invalid(String problem) {
        return new IllegalArgumentException("invalid Tracked:\n" + problem);
    }

    /** Such as {@code ConfigMap default/a}, or {@code Deployment.apps default/*{app=web}}. */
    @Override
    public String toString() {
        String type = group.isEmpty() ? kind : kind + "." + group;
        String what = selector.map(labels -> "*{" + labels + "}").orElse(name);
        return type + " " + (namespace.isEmpty() ? "" : namespace + "/") + what;
    }
}
