package dev.evenkeel.load.internal.proxy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The meaning of a request, by the rules of Kubernetes.
 *
 * @param verb the verb, such as {@code deletecollection}; server-side apply is {@code apply}; for a path that is not a
 *     resource, the method in lower case
 * @param resource the resource with its group and subresource, such as {@code pods/status} or {@code
 *     widgets.example.com}; for a path that is not a resource, its first segment, such as {@code /openapi}
 * @param namespace the namespace; empty when there is none
 */
record RequestInfo(String verb, String resource, String namespace) {
    private static final String APPLY = "application/apply-patch+";
    private static final Set<String> SUBRESOURCES_OF_NAMESPACES = Set.of("status", "finalize");

    /**
     * Returns the meaning of a request.
     *
     * @param path the path, still encoded: names that matter here are never encoded
     * @param query the query, without the question mark; empty when there is none
     * @param contentType the media type of the body; empty when there is none
     */
    static RequestInfo of(String method, String path, String query, String contentType) {
        List<String> parts = Arrays.stream(path.split("/", -1))
                .filter(part -> !part.isEmpty())
                .toList();
        boolean core = parts.size() >= 3 && parts.getFirst().equals("api");
        boolean grouped = parts.size() >= 4 && parts.getFirst().equals("apis");
        if (!core && !grouped) {
            String first = parts.isEmpty() ? "" : parts.getFirst();
            return new RequestInfo(method.toLowerCase(Locale.ROOT), "/" + first, "");
        }
        String group = core ? "" : parts.get(1);
        List<String> rest = parts.subList(core ? 2 : 3, parts.size());
        // the form of watches before the parameter, which servers still understand
        boolean watched = rest.size() > 1 && rest.getFirst().equals("watch");
        if (watched) {
            rest = rest.subList(1, rest.size());
        }
        String namespace = "";
        if (rest.getFirst().equals("namespaces") && rest.size() > 1) {
            namespace = rest.get(1);
            if (rest.size() > 2 && !SUBRESOURCES_OF_NAMESPACES.contains(rest.get(2))) {
                rest = rest.subList(2, rest.size());
            }
        }
        boolean named = rest.size() > 1;
        String resource =
                rest.getFirst() + (group.isEmpty() ? "" : "." + group) + (rest.size() > 2 ? "/" + rest.get(2) : "");
        return new RequestInfo(verb(method, named, watched, query, contentType), resource, namespace);
    }

    private static String verb(String method, boolean named, boolean watched, String query, String contentType) {
        return switch (method) {
            case "GET", "HEAD" -> watched ? "watch" : named ? "get" : watches(query) ? "watch" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> contentType.startsWith(APPLY) ? "apply" : "patch";
            case "DELETE" -> named ? "delete" : "deletecollection";
            default -> method.toLowerCase(Locale.ROOT);
        };
    }

    /** Returns whether the first parameter {@code watch} is neither 0 nor false, which is how servers read it. */
    private static boolean watches(String query) {
        for (String parameter : query.split("&", -1)) {
            if (parameter.equals("watch") || parameter.startsWith("watch=")) {
                String value = parameter.substring(Math.min(parameter.length(), "watch=".length()));
                return !value.equals("0") && !value.equalsIgnoreCase("false");
            }
        }
        return false;
    }

    boolean isWatch() {
        return verb.equals("watch");
    }
}
