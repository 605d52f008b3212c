package dev.evenkeel.server.internal;

import dev.evenkeel.access.internal.LargeRequests;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.server.internal.access.Access;
import dev.evenkeel.server.internal.http.BodyReader;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Labels;
import dev.evenkeel.server.internal.http.Representation;
import dev.evenkeel.server.internal.http.RequestMetrics;
import dev.evenkeel.server.internal.http.StatusDocument;
import dev.evenkeel.server.internal.resource.OptionsReader;
import dev.evenkeel.server.internal.resource.ResourcePath;
import dev.evenkeel.server.internal.resource.ResponseRenderer;
import dev.evenkeel.server.internal.watch.Watches;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Handles requests about resources: finds the resource of a path, and translates between HTTP and the verbs of a
 * partition.
 */
record Resources(Watches watches, Access access, RequestMetrics metrics, LargeRequests large, Duration longestWrite) {
    private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

    /** Subresources of built-in kinds in addition to status and scale. */
    private static final Set<String> SERVED_SUBRESOURCES = Set.of(
            "certificatesigningrequests.certificates.k8s.io/approval",
            "namespaces/finalize",
            "pods/binding",
            "pods/ephemeralcontainers",
            "pods/eviction",
            "pods/resize",
            "serviceaccounts/token");

    private static final Set<String> VERBS_OF_OBJECTS = Set.of("delete", "get", "patch", "update");
    private static final Set<String> WRITES = Set.of("create", "delete", "deletecollection", "patch", "update");
    private static final Set<String> LONG_RUNNING = Set.of("attach", "exec", "log", "portforward", "proxy");

    /** Returns true if the path names at least a resource. */
    public static boolean isResource(HttpExchange call) {
        int size = call.path().segments().size();
        return switch (call.path().first()) {
            case "api" -> size > 2;
            case "apis" -> size > 3;
            default -> false;
        };
    }

    /** Returns true if the request may take any time: it opens a watch, or a connection to a pod, service or node. */
    public static boolean isLongRunning(HttpExchange call) {
        if (!isResource(call)) {
            return false;
        }
        ResourcePath path = ResourcePath.parse(call.path().segments());
        String subresource = path.subresource();
        int slash = subresource.indexOf('/');
        return verb(call, path).equals("watch")
                || LONG_RUNNING.contains(slash < 0 ? subresource : subresource.substring(0, slash));
    }

    /** Answers a request whose path names at least a resource. */
    public void handle(HttpExchange call, ResourceApi partition) {
        ResourcePath path = ResourcePath.parse(call.path().segments());
        String verb = verb(call, path);
        call.labels(new Labels(verb.toUpperCase(Locale.ROOT), "", "", "", "", ""));
        Target found = partition
                .resource(path.group(), path.version(), path.resource())
                .orElseThrow(() -> Failures.noSuchPath(partition, path.group()));
        Target target = new Target(found.type(), found.version(), path.namespace(), path.name(), path.subresource());
        ResourceType type = target.type();
        call.labels(new Labels(
                verb.toUpperCase(Locale.ROOT),
                type.group(),
                target.version().name(),
                type.plural(),
                knownSubresource(target),
                !target.name().isEmpty() ? "resource" : target.namespace().isEmpty() ? "cluster" : "namespace"));
        if (Connections.isConnection(target)) {
            Connections.open(call, partition, target, requester(call, partition));
            return;
        }
        check(target, verb);
        if (!target.version().deprecation().isEmpty()) {
            call.warn(List.of(target.version().deprecation()));
            metrics.deprecated(call.labels());
            call.audit().annotate("k8s.io/deprecated", "true");
        }
        if (WRITES.contains(verb)) {
            call.expire(longestWrite, Failures.requestedTimeout(), () -> metrics.terminated(call.labels(), 504));
        }
        switch (verb) {
            case "get" -> get(call, partition, target);
            case "list" -> list(call, partition, target);
            case "watch" -> watches.open(call, partition, target);
            case "create", "update" -> write(call, partition, target, verb.equals("create"));
            case "patch" -> patch(call, partition, target);
            case "delete" -> delete(call, partition, target);
            case "deletecollection" -> deleteCollection(call, partition, target);
            default -> throw Refusal.noSuchMethod();
        }
    }

    /** Returns the subresource for labels of metrics; empty if it is not one that some kind has. */
    private static String knownSubresource(Target target) {
        String subresource = target.subresource();
        int slash = subresource.indexOf('/');
        String first = slash < 0 ? subresource : subresource.substring(0, slash);
        boolean known = first.equals("status")
                || first.equals("scale")
                || Connections.isConnection(target)
                || SERVED_SUBRESOURCES.contains(target.type().id() + "/" + first);
        return known ? first : "";
    }

    /** Returns the verb of a request about a resource; empty for a method that has none. */
    static String verb(HttpExchange call, ResourcePath path) {
        return verb(call.method(), call, path);
    }

    /** Returns the verb as which a request is authorized and recorded: HEAD is that of GET, although it is not served. */
    static String accessVerb(HttpExchange call, ResourcePath path) {
        return verb(call.method().equals("HEAD") ? "GET" : call.method(), call, path);
    }

    private static String verb(String method, HttpExchange call, ResourcePath path) {
        boolean many = path.name().isEmpty();
        return switch (method) {
            case "GET" -> path.watch() || (many && call.query().flag("watch")) ? "watch" : many ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> many ? "deletecollection" : "delete";
            default -> "";
        };
    }

    /**
     * Refuses a request that the resource does not support: another scope, an unknown subresource, a verb that is not
     * served.
     */
    private static void check(Target target, String verb) {
        ResourceType type = target.type();
        boolean custom = type.origin() == Origin.CUSTOM;
        boolean named = !target.name().isEmpty();
        if (!type.namespaced() && !target.namespace().isEmpty()) {
            throw custom ? Failures.noSuchPath() : Refusal.noSuchResource();
        }
        if (type.namespaced() && target.namespace().isEmpty() && !verb.equals("list") && !verb.equals("watch")) {
            // a list across namespaces has this path, so for built-in kinds the method is wrong
            throw custom ? Failures.noSuchPath() : named ? Refusal.noSuchResource() : Refusal.noSuchMethod();
        }
        if (target.subresource().isEmpty()) {
            if (named && Collections.disjoint(type.rules().verbs(), VERBS_OF_OBJECTS)) {
                throw Refusal.noSuchResource();
            }
            boolean fits = named == (!verb.equals("create") && !verb.equals("list") && !verb.equals("deletecollection"))
                    || verb.equals("watch");
            if (!fits || !type.rules().verbs().contains(verb)) {
                throw noSuchMethod(target, verb);
            }
            return;
        }
        List<String> verbs = switch (target.subresource()) {
            case "status" -> target.version().status() ? SUBRESOURCE_VERBS : List.of();
            case "scale" -> target.version().scale().isPresent() ? SUBRESOURCE_VERBS : List.of();
            default -> builtInVerbs(target);
        };
        if (verbs.isEmpty()) {
            throw custom
                    ? ApiException.of(Status.of(
                            404,
                            "NotFound",
                            type.id() + " " + Failures.quoted(target.name()) + " not found",
                            Status.Details.of(target.name(), type.group(), type.plural())))
                    : Refusal.noSuchResource();
        }
        if (!verbs.contains(verb)) {
            throw noSuchMethod(target, verb);
        }
    }

    /** Returns the verbs of a subresource of a built-in kind; none if it is known but not served. */
    private static List<String> builtInVerbs(Target target) {
        List<String> known = BuiltinTypes.resource(target.type(), target.version()).stream()
                .flatMap(facts -> facts.subresources().stream())
                .filter(subresource -> subresource.name().equals(target.subresource()))
                .flatMap(subresource -> subresource.verbs().stream())
                .toList();
        String name = target.type().id() + "/" + target.subresource();
        return SERVED_SUBRESOURCES.contains(name) || known.isEmpty() ? known : List.of("");
    }

    private static ApiException noSuchMethod(Target target, String verb) {
        ResourceType type = target.type();
        if (type.origin() != Origin.CUSTOM || target.subresource().isEmpty()) {
            return Refusal.noSuchMethod();
        }
        return ApiException.of(Status.of(
                405,
                "MethodNotAllowed",
                verb + " is not supported on resources of kind \"" + type.id() + "\"",
                Status.Details.of("", type.group(), type.plural())));
    }

    private static void get(HttpExchange call, ResourceApi partition, Target target) {
        ResponseRenderer shaper = shaper(call, partition, target);
        if (call.query().flag("export")) {
            throw Refusal.badRequest("the export parameter, deprecated since v1.14, is no longer supported");
        }
        warnOfOutage(call, partition);
        Document document = ComponentStatuses.are(target)
                ? ComponentStatuses.get(partition, target)
                : partition.get(target, call.query().first("resourceVersion"), call.user());
        shaper.object(call, 200, document);
    }

    private static void list(HttpExchange call, ResourceApi partition, Target target) {
        ResponseRenderer shaper = shaper(call, partition, target);
        warnOfOutage(call, partition);
        ListQuery query = OptionsReader.list(call.query());
        Page page = ComponentStatuses.are(target)
                ? ComponentStatuses.list(partition, query)
                : partition.list(target, query, call.user());
        shaper.page(call, page);
    }

    /** Warns that a read of the state at hand may return an old one. */
    private static void warnOfOutage(HttpExchange call, ResourceApi partition) {
        if (call.query().first("resourceVersion").equals("0")) {
            partition
                    .outage()
                    .ifPresent(outage -> call.warn(List.of("the store cannot be reached, this state may be as old as "
                            + outage.since().truncatedTo(ChronoUnit.SECONDS))));
        }
    }

    private void write(HttpExchange call, ResourceApi partition, Target target, boolean create) {
        ResponseRenderer shaper = shaper(call, partition, target);
        // as upstream: a body is read before the options, but its type is checked after those of an update
        if (create) {
            BodyReader.checkType(call, target);
        }
        byte[] bytes = call.transport().body();
        WriteOptions options = options(call, partition, create ? "CreateOptions" : "UpdateOptions", false);
        Body body = BodyReader.object(call, target, bytes);
        Reply reply = large.process(call.user().name(), body.size(), () -> {
            if (call.audit().enabled()) {
                BodyReader.readable(body).ifPresent(call.audit()::request);
            }
            return create ? partition.create(target, body, options) : partition.update(target, body, options);
        });
        show(call, shaper, reply);
    }

    private void patch(HttpExchange call, ResourceApi partition, Target target) {
        Patch.Type type = BodyReader.patchType(call, target);
        ResponseRenderer shaper = shaper(call, partition, target);
        Body body = BodyReader.patch(call, type);
        WriteOptions options = options(call, partition, "PatchOptions", type == Patch.Type.APPLY);
        Reply reply = large.process(call.user().name(), body.size(), () -> {
            if (call.audit().wantsRequest()) {
                BodyReader.readable(body).ifPresent(call.audit()::requestOptions);
            }
            return partition.patch(target, type, body, options);
        });
        show(call, shaper, reply);
    }

    private WriteOptions options(HttpExchange call, ResourceApi partition, String kind, boolean apply) {
        return OptionsReader.write(
                call.query(),
                kind,
                apply,
                call.header("User-Agent"),
                call.header(Fence.HEADER),
                requester(call, partition));
    }

    private Requester requester(HttpExchange call, ResourceApi partition) {
        return access.requester(call, partition, metrics);
    }

    private void delete(HttpExchange call, ResourceApi partition, Target target) {
        ResponseRenderer shaper = shaper(call, partition, target);
        Requester requester = requester(call, partition);
        show(call, shaper, partition.delete(target, deleteOptions(call), requester));
    }

    private void deleteCollection(HttpExchange call, ResourceApi partition, Target target) {
        ResponseRenderer shaper = shaper(call, partition, target);
        ListQuery query = OptionsReader.list(call.query());
        DeleteOptions options = deleteOptions(call);
        Requester requester = requester(call, partition);
        shaper.page(call, partition.deleteCollection(target, query, options, requester));
    }

    private DeleteOptions deleteOptions(HttpExchange call) {
        Body body = call.transport().withoutBody() ? Body.json("") : BodyReader.deleteOptions(call);
        return large.process(call.user().name(), body.size(), () -> deleteOptions(call, body));
    }

    private static DeleteOptions deleteOptions(HttpExchange call, Body body) {
        if (call.audit().wantsRequest()) {
            BodyReader.readable(body).ifPresent(call.audit()::requestOptions);
        }
        DeleteOptions options =
                body.size() == 0 ? OptionsReader.deletion(call.query()) : OptionsReader.deletion(BodyReader.tree(body));
        return options.withFence(OptionsReader.fence(call.header(Fence.HEADER)));
    }

    private static ResponseRenderer shaper(HttpExchange call, ResourceApi partition, Target target) {
        boolean streamable = target.name().isEmpty() && call.method().equals("GET");
        Representation form = Representation.negotiate(call.accept(), streamable, ResponseRenderer.available(target));
        return new ResponseRenderer(partition, target, form, call.query());
    }

    private static void show(HttpExchange call, ResponseRenderer shaper, Reply reply) {
        call.warn(reply.warnings());
        switch (reply) {
            case Reply.Shown(int code, var document, var warnings) -> shaper.object(call, code, document);
            case Reply.Success(int code, Status.Details details, var warnings) ->
                call.reply(code, StatusDocument.success(code, details), shaper.encoding());
        }
    }
}
