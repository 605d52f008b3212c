package dev.evenkeel.junit.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The verb and the resource of a request.
 *
 * @param verb the verb, as in rules of RBAC
 * @param resource the plural of the resource, with its subresource if there is one
 */
record RequestTarget(String verb, String resource) {
    /** Returns the target of a request; empty if it is not for a resource. */
    static Optional<RequestTarget> of(String method, String path, String query) {
        List<String> parts =
                Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
        // api/v1/... and apis/group/version/...
        int skip = parts.isEmpty()
                ? 0
                : parts.getFirst().equals("api") ? 2 : parts.getFirst().equals("apis") ? 3 : 0;
        if (skip == 0 || parts.size() <= skip) {
            return Optional.empty();
        }
        List<String> rest = parts.subList(skip, parts.size());
        boolean namespaced = rest.getFirst().equals("namespaces")
                && rest.size() > 2
                && !List.of("status", "finalize").contains(rest.get(2));
        if (namespaced) {
            rest = rest.subList(2, rest.size());
        }
        String resource = rest.getFirst() + (rest.size() > 2 ? "/" + rest.get(2) : "");
        return Optional.of(new RequestTarget(verb(method, rest.size() > 1, query), resource));
    }

    private static String verb(String method, boolean named, String query) {
        return switch (method) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> named ? "delete" : "deletecollection";
            case "GET" -> query.matches("(.*&)?watch=(true|1)(&.*)?") ? "watch" : named ? "get" : "list";
            default -> method.toLowerCase(Locale.ROOT);
        };
    }
}
