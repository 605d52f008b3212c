package dev.evenkeel.server.internal.resource;

import java.util.List;

/**
 * A path below {@code /api/{version}} or {@code /apis/{group}/{version}}, by the rules of upstream's request info.
 *
 * @param group empty for the core group
 * @param version such as {@code v1}
 * @param watch whether the path has the old form {@code /api/v1/watch/...}
 * @param namespace empty when the path names none
 * @param resource plural name
 * @param name empty when the path names no object
 * @param subresource empty when the path names none; may contain slashes
 */
public record ResourcePath(
        String group,
        String version,
        boolean watch,
        String namespace,
        String resource,
        String name,
        String subresource) {

    /**
     * Parses segments that are known to be long enough to name a resource.
     *
     * @param segments those of the whole path, from {@code api} or {@code apis} on
     */
    public static ResourcePath parse(List<String> segments) {
        boolean grouped = segments.getFirst().equals("apis");
        List<String> rest = segments.subList(grouped ? 3 : 2, segments.size());
        boolean watch = rest.size() > 1 && rest.getFirst().equals("watch");
        if (watch) {
            rest = rest.subList(1, rest.size());
        }
        String namespace = "";
        boolean ofNamespaceItself =
                rest.size() == 3 && (rest.get(2).equals("status") || rest.get(2).equals("finalize"));
        if (rest.size() > 2 && rest.getFirst().equals("namespaces") && !ofNamespaceItself) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        return new ResourcePath(
                grouped ? segments.get(1) : "",
                segments.get(grouped ? 2 : 1),
                watch,
                namespace,
                rest.getFirst(),
                rest.size() > 1 ? rest.get(1) : "",
                rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "");
    }
}
