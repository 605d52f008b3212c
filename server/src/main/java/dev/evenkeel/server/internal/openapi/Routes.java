package dev.evenkeel.server.internal.openapi;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.server.internal.discovery.Catalog;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The operations of the API, named and described by upstream's rules. Those for custom resources differ in details: they
 * have no protobuf, no paths of watches, and other parameters.
 */
final class Routes {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String WATCH = ";stream=watch";
    private static final List<String> TEXTS = List.of(HttpExchange.JSON, HttpExchange.YAML);
    private static final List<String> ALL = List.of(HttpExchange.JSON, HttpExchange.YAML, PROTOBUF);
    private static final List<String> STREAMS = List.of(HttpExchange.JSON + WATCH, PROTOBUF + WATCH);
    private static final List<String> ANY = List.of("*/*");

    private static final String META = OpenApiSchemas.META;
    private static final String STATUS = META + "Status";
    private static final String LOG_OPTIONS = "io.k8s.api.core.v1.PodLogOptions";
    private static final Set<String> PAGING = Set.of("watch", "allowWatchBookmarks");
    private static final Set<String> NOT_IN_QUERIES = Set.of("apiVersion", "kind");

    private static final Route.Parameter PRETTY = new Route.Parameter(
            "pretty",
            "query",
            "string",
            "If 'true', then the output is pretty printed. Defaults to 'false' unless the user-agent indicates a browser or"
                    + " command-line HTTP tool (curl and wget).");
    private static final Route.Parameter NAMESPACE = new Route.Parameter(
            "namespace", "path", "string", "object name and auth scope, such as for teams and projects");
    private static final Route.Parameter PATH = new Route.Parameter("path", "path", "string", "path to the resource");

    /** An operation on resources: the verb of discovery, its method, the verb in its name, and the options in its query. */
    private enum Action {
        LIST("list", "get", "list", "ListOptions"),
        POST("create", "post", "create", "CreateOptions"),
        DELETECOLLECTION("deletecollection", "delete", "delete", "ListOptions"),
        GET("get", "get", "read", "GetOptions"),
        PUT("update", "put", "replace", "UpdateOptions"),
        DELETE("delete", "delete", "delete", "DeleteOptions"),
        PATCH("patch", "patch", "patch", "PatchOptions"),
        WATCHLIST("watch", "get", "watch", "ListOptions"),
        WATCH("watch", "get", "watch", "ListOptions");

        private final String verb;
        private final String method;
        private final String prefix;
        private final String options;

        Action(String verb, String method, String prefix, String options) {
            this.verb = verb;
            this.method = method;
            this.prefix = prefix;
            this.options = META + options;
        }
    }

    private static final List<Action> OF_COLLECTION = List.of(Action.LIST, Action.POST, Action.DELETECOLLECTION);
    private static final List<Action> OF_OBJECT = List.of(Action.GET, Action.PUT, Action.DELETE, Action.PATCH);
    private static final List<Action> OF_SUBRESOURCE = List.of(Action.GET, Action.PUT, Action.PATCH, Action.POST);

    /**
     * A resource or subresource at one of its paths.
     *
     * @param path below that of the group version
     * @param sub name of the subresource; empty for the resource itself
     * @param kind of bodies
     * @param definition of bodies
     * @param scope {@code Namespaced}, or empty
     */
    private record Place(String path, String sub, JsonObject kind, String definition, String scope) {
        Place at(String other, String otherScope) {
            return new Place(other, sub, kind, definition, otherScope);
        }
    }

    private final Catalog.GroupVersion version;
    private final List<Route> routes = new ArrayList<>();

    private Routes(Catalog.GroupVersion version) {
        this.version = version;
    }

    /** Returns the operations on the resources of a version of a group. */
    static List<Route> of(Catalog.GroupVersion version) {
        Routes all = new Routes(version);
        if (version.resources().stream().anyMatch(Catalog.Resource::builtIn)) {
            all.routes.add(listing(
                    "/" + version.path() + "/",
                    "get" + all.name("APIResources"),
                    all.tag(),
                    "get available resources",
                    META + "APIResourceList",
                    ALL));
        }
        version.resources().forEach(all::add);
        return List.copyOf(all.routes);
    }

    /** Returns the operation that shows the versions of a group. */
    static Route group(String group) {
        String name = title(shortName(group));
        return listing(
                "/apis/" + group + "/",
                "get" + name + "APIGroup",
                name(shortName(group), false),
                "get information of a group",
                META + "APIGroup",
                ALL);
    }

    /**
     * Returns the operations that are about no group, by the name of the document in which they are.
     *
     * @param tokens with those about tokens
     */
    static Map<String, Route> roots(boolean tokens) {
        String versions = "get available API versions";
        Map<String, Route> roots = new HashMap<>();
        roots.put("api", listing("/api/", "getCoreAPIVersions", "core", versions, META + "APIVersions", ALL));
        roots.put("apis", listing("/apis/", "getAPIVersions", "apis", versions, META + "APIGroupList", ALL));
        roots.put(
                "version",
                listing(
                        "/version/",
                        "getCodeVersion",
                        "version",
                        "get the version information for this server",
                        "io.k8s.apimachinery.pkg.version.Info",
                        List.of(HttpExchange.JSON)));
        if (tokens) {
            roots.put(
                    ".well-known/openid-configuration",
                    listing(
                            "/.well-known/openid-configuration/",
                            "getServiceAccountIssuerOpenIDConfiguration",
                            "WellKnown",
                            "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
                            "",
                            List.of(HttpExchange.JSON)));
            roots.put(
                    "openid/v1/jwks",
                    listing(
                            "/openid/v1/jwks/",
                            "getServiceAccountIssuerOpenIDKeyset",
                            "openid",
                            "get service account issuer OpenID JSON Web Key Set (contains public token verification keys)",
                            "",
                            List.of("application/jwk-set+json")));
        }
        return roots;
    }

    private static Route listing(
            String path, String id, String tag, String description, String definition, List<String> types) {
        return new Route(
                "get",
                path,
                id,
                List.of(tag),
                description,
                "",
                new JsonObject(),
                List.of(),
                Optional.empty(),
                types,
                types,
                answers(definition, 200));
    }

    private void add(Catalog.Resource resource) {
        ResourceType type = resource.type();
        JsonObject kind = kind(type.group(), resource.version().name(), type.kind());
        String definition = OpenApiSchemas.name(type, resource.version());
        String scope = type.namespaced() ? "Namespaced" : "";
        String collection = (type.namespaced() ? "namespaces/{namespace}/" : "") + type.plural();
        Place all = new Place(collection, "", kind, definition, scope);
        Place one = all.at(collection + "/{name}", scope);
        List<String> verbs = resource.verbs();
        boolean watched = resource.builtIn() && verbs.contains("watch") && verbs.contains("list");
        add(OF_COLLECTION, resource, verbs, all);
        add(OF_OBJECT, resource, verbs, one);
        if (watched) {
            add(Action.WATCHLIST, resource, all.at("watch/" + collection, scope));
            add(Action.WATCH, resource, all.at("watch/" + collection + "/{name}", scope));
        }
        resource.subresources().forEach(sub -> add(resource, sub, one.path(), scope));
        if (type.namespaced() && verbs.contains("list")) {
            add(Action.LIST, resource, all.at(type.plural(), ""));
            if (watched) {
                add(Action.WATCHLIST, resource, all.at("watch/" + type.plural(), ""));
            }
        }
    }

    private void add(Catalog.Resource resource, Catalog.Subresource sub, String path, String scope) {
        JsonObject kind = !resource.builtIn()
                ? kind(
                        resource.type().group(),
                        resource.version().name(),
                        resource.type().kind())
                : sub.version().isEmpty()
                        ? kind(version.group(), version.version(), sub.kind())
                        : kind(sub.group(), sub.version(), sub.kind());
        Place place = new Place(path + "/" + sub.name(), sub.name(), kind, definition(resource, sub), scope);
        if (sub.kind().endsWith("Options")) {
            connect(resource, place);
            connect(resource, place.at(place.path + "/{path}", scope));
        } else {
            add(OF_SUBRESOURCE, resource, sub.verbs(), place);
        }
    }

    /** Returns the name of the definition of the bodies of a subresource. */
    private String definition(Catalog.Resource resource, Catalog.Subresource sub) {
        String name = sub.version().isEmpty()
                ? BuiltinTypes.definition(version.group(), version.version(), sub.kind())
                : BuiltinTypes.definition(sub.group(), sub.version(), sub.kind());
        return sub.kind().equals(resource.type().kind())
                        || BuiltinTypes.schema(name).isEmpty()
                ? OpenApiSchemas.name(resource.type(), resource.version())
                : name;
    }

    private static JsonObject kind(String group, String version, String kind) {
        return JsonObject.of("group", group, "version", version, "kind", kind);
    }

    private void add(List<Action> actions, Catalog.Resource resource, List<String> verbs, Place place) {
        actions.stream().filter(each -> verbs.contains(each.verb)).forEach(each -> add(each, resource, place));
    }

    private void add(Action action, Catalog.Resource resource, Place place) {
        boolean builtIn = resource.builtIn();
        boolean log = builtIn && place.sub.equals("log");
        boolean across = place.scope.isEmpty() && resource.type().namespaced();
        String rest = switch (action) {
            case DELETECOLLECTION ->
                "Collection" + place.scope + resource.type().kind();
            case WATCHLIST -> place.scope + resource.type().kind() + "List";
            default -> place.scope + resource.type().kind() + title(place.sub);
        };
        List<Route.Parameter> parameters = new ArrayList<>(parameters(resource, place));
        parameters.add(PRETTY);
        parameters.addAll(options(action, builtIn, log));
        routes.add(new Route(
                action.method,
                "/" + version.path() + "/" + place.path,
                action.prefix + name(rest + (across ? "ForAllNamespaces" : "")),
                List.of(tag()),
                description(action, resource, place.sub),
                action.name().toLowerCase(Locale.ROOT),
                place.kind,
                parameters,
                body(action, builtIn, place),
                consumes(action, builtIn),
                produces(action, builtIn, log),
                answers(action, resource, log ? "" : place.definition)));
    }

    /** Adds the operations of a subresource that passes requests on. */
    private void connect(Catalog.Resource resource, Place place) {
        boolean proxy = place.sub.equals("proxy");
        boolean deep = place.path.endsWith("/{path}");
        if (deep && !proxy) {
            return;
        }
        List<Route.Parameter> parameters = new ArrayList<>(parameters(resource, place));
        parameters.addAll(options(place.definition, Set.of()));
        if (deep) {
            parameters.add(PATH);
        }
        String kind = resource.type().kind();
        List<String> methods =
                proxy ? List.of("get", "put", "post", "delete", "options", "head", "patch") : List.of("get", "post");
        for (String method : methods) {
            routes.add(new Route(
                    method,
                    "/" + version.path() + "/" + place.path,
                    "connect" + name(title(method) + place.scope + kind + title(place.sub) + (deep ? "WithPath" : "")),
                    List.of(tag()),
                    "connect " + method.toUpperCase(Locale.ROOT) + " requests to " + place.sub + " of " + kind,
                    "connect",
                    place.kind,
                    parameters,
                    Optional.empty(),
                    ANY,
                    ANY,
                    answers("", 200)));
        }
    }

    private static List<Route.Parameter> parameters(Catalog.Resource resource, Place place) {
        String kind =
                resource.builtIn() ? place.kind.string("kind") : resource.type().kind();
        Route.Parameter name = new Route.Parameter("name", "path", "string", "name of the " + kind);
        return Stream.of(name, NAMESPACE)
                .filter(each -> place.path.contains("{" + each.name() + "}"))
                .toList();
    }

    private static List<Route.Parameter> options(Action action, boolean builtIn, boolean log) {
        if (log) {
            return options(LOG_OPTIONS, Set.of());
        }
        if (!builtIn) {
            return options(action.options, Set.of());
        }
        return switch (action) {
            case GET -> List.of();
            case DELETECOLLECTION ->
                Stream.concat(
                                options(Action.DELETE.options, Set.of()).stream(),
                                options(action.options, PAGING).stream())
                        .toList();
            default -> options(action.options, Set.of());
        };
    }

    /** Returns the fields of options that are neither structures nor times, as parameters. */
    private static List<Route.Parameter> options(String definition, Set<String> but) {
        List<Route.Parameter> parameters = new ArrayList<>();
        BuiltinTypes.schema(definition).map(Schema::properties).orElse(Map.of()).forEach((name, field) -> {
            if (field.reference().isEmpty() && !NOT_IN_QUERIES.contains(name) && !but.contains(name)) {
                Schema items = field.items();
                Schema.Type type = items == null ? field.type() : items.type();
                parameters.add(
                        new Route.Parameter(name, "query", type.text(), BuiltinDescriptions.of(definition, name)));
            }
        });
        return parameters;
    }

    private static Optional<Route.Body> body(Action action, boolean builtIn, Place place) {
        return switch (action) {
            case POST, PUT -> Optional.of(new Route.Body(place.definition, true));
            case PATCH -> Optional.of(new Route.Body(META + "Patch", true));
            case DELETE -> Optional.of(new Route.Body(META + "DeleteOptions", false));
            case DELETECOLLECTION ->
                builtIn ? Optional.of(new Route.Body(META + "DeleteOptions", false)) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static List<String> consumes(Action action, boolean builtIn) {
        if (action == Action.PATCH) {
            return Arrays.stream(Patch.Type.values())
                    .filter(type -> builtIn || type != Patch.Type.STRATEGIC)
                    .map(Patch.Type::mediaType)
                    .toList();
        }
        return builtIn ? ANY : TEXTS;
    }

    private static List<String> produces(Action action, boolean builtIn, boolean log) {
        if (!builtIn) {
            return TEXTS;
        }
        if (log) {
            return Stream.concat(Stream.of("text/plain"), ALL.stream()).toList();
        }
        return switch (action) {
            case LIST, WATCH, WATCHLIST ->
                Stream.concat(ALL.stream(), STREAMS.stream()).toList();
            default -> ALL;
        };
    }

    private static SortedMap<Integer, String> answers(Action action, Catalog.Resource resource, String definition) {
        return switch (action) {
            case LIST -> answers(OpenApiSchemas.listName(resource.type(), resource.version()), 200);
            case POST -> answers(definition, 200, 201, 202);
            case DELETECOLLECTION -> answers(STATUS, 200);
            case GET -> answers(definition, 200);
            case PUT -> answers(definition, 200, 201);
            case DELETE -> answers(resource.type().rules().deleteReturnsObject() ? definition : STATUS, 200, 202);
            case PATCH -> resource.builtIn() ? answers(definition, 200, 201) : answers(definition, 200);
            case WATCH, WATCHLIST -> answers(META + "WatchEvent", 200);
        };
    }

    private static SortedMap<Integer, String> answers(String definition, int... statuses) {
        SortedMap<Integer, String> answers = new TreeMap<>();
        for (int status : statuses) {
            answers.put(status, definition);
        }
        return answers;
    }

    private static String description(Action action, Catalog.Resource resource, String sub) {
        String kind = resource.type().kind();
        String of = sub.isEmpty() ? "" : " " + sub + " of";
        return switch (action) {
            case LIST ->
                (resource.builtIn() && resource.verbs().contains("watch") ? "list or watch" : "list")
                        + " objects of kind " + kind;
            case POST -> "create" + of + article(kind) + kind;
            case DELETECOLLECTION -> "delete collection of " + kind;
            case GET -> "read" + of + " the specified " + kind;
            case PUT -> "replace" + of + " the specified " + kind;
            case DELETE -> "delete" + article(kind) + kind;
            case PATCH -> "partially update" + of + " the specified " + kind;
            case WATCHLIST ->
                "watch individual changes to a list of " + kind
                        + ". deprecated: use the 'watch' parameter with a list operation instead.";
            case WATCH ->
                "watch changes to an object of kind " + kind
                        + ". deprecated: use the 'watch' parameter with a list operation instead, filtered to a single item"
                        + " with the 'fieldSelector' parameter.";
        };
    }

    private static String article(String noun) {
        if (noun.endsWith("s") && !noun.endsWith("ss")) {
            return " ";
        }
        return "aeiou".indexOf(Character.toLowerCase(noun.charAt(0))) < 0 ? " a " : " an ";
    }

    /** Returns the part of a name of an operation that follows its verb. */
    private String name(String rest) {
        return title(shortName(version.group())) + title(version.version()) + rest;
    }

    private String tag() {
        return name(shortName(version.group()), false) + "_" + name(version.version(), false);
    }

    private static String shortName(String group) {
        return group.isEmpty() ? "core" : group.endsWith(".k8s.io") ? group.substring(0, group.length() - 7) : group;
    }

    private static String title(String text) {
        return name(text, true);
    }

    /** Returns a text as part of a name: without punctuation, what follows that in upper case. */
    private static String name(String text, boolean first) {
        StringBuilder name = new StringBuilder(text.length());
        boolean upper = first;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean kept = Character.isLetter(c) || c == '_' || (i > 0 && Character.isDigit(c));
            if (kept) {
                name.append(upper ? Character.toUpperCase(c) : c);
            }
            upper = !kept;
        }
        return name.toString();
    }
}
