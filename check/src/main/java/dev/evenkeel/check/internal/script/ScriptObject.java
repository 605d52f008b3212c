package dev.evenkeel.check.internal.script;

import java.util.Map;

/**
 * An object of a script, whatever its version.
 *
 * @param group API group; empty for the core group
 * @param namespace {@code default} if none was given
 */
public record ScriptObject(String group, String kind, String namespace, String name) {
    /** Returns the object that a tree describes. */
    public static ScriptObject of(Map<String, Object> tree) {
        String version = String.valueOf(tree.get("apiVersion"));
        int slash = version.indexOf('/');
        String group = slash < 0 ? "" : version.substring(0, slash);
        String namespace = metadata(tree, "namespace");
        return new ScriptObject(
                group,
                String.valueOf(tree.get("kind")),
                namespace.isEmpty() ? "default" : namespace,
                metadata(tree, "name"));
    }

    private static String metadata(Map<String, Object> tree, String field) {
        Object value = tree.get("metadata") instanceof Map<?, ?> metadata ? metadata.get(field) : null;
        return value == null ? "" : value.toString();
    }

    /** Returns the kind with its group, such as {@code Board.example.com}. */
    public String type() {
        return group.isEmpty() ? kind : kind + "." + group;
    }

    /** Returns text such as {@code Board.example.com default/news}. */
    @Override
    public String toString() {
        return type() + " " + namespace + "/" + name;
    }
}
