package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import dev.evenkeel.engine.spi.Store;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Issues tokens for service accounts: {@code serviceaccounts/token}. */
record TokenVerb(WriteContext cluster) {
    /** The claim with the account, and with the object that the token is bound to. */
    private static final String CLAIM = "kubernetes.io";

    private static final String KIND = "TokenRequest";
    private static final String GROUP = "authentication.k8s.io";

    /** Metadata without owners. */
    private static final Set<String> UNOWNED = Set.of(
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "resourceVersion",
            "generation",
            "selfLink",
            "managedFields");

    private static final long SHORTEST = 600;
    private static final long LONGEST = 1L << 32;
    private static final long DEFAULT = 3600;

    /** The longest life of a token, in seconds: keys are kept for as long. */
    private static final long CAP = 365 * 24 * 3600L;

    /** The life that projected volumes ask for: their tokens are valid for longer, for pods that do not read them again. */
    private static final long PROJECTED = 3607;

    /**
     * Checks a request, as far as upstream does before policies and webhooks may refuse it: what it binds the token to
     * is looked up later.
     */
    void check(Target target, JsonObject request) {
        var unusedAccount = account(target, request);
        long unusedLife = seconds(request.object("spec"));
    }

    /** Returns the service account; refuses a request that is for another one. */
    private JsonObject account(Target target, JsonObject request) {
        JsonObject metadata = request.object("metadata");
        checkName(metadata.string("name"), target);
        JsonObject found = object(Target.of(target.type(), target.version(), target.namespace(), target.name()));
        checkUid(metadata.string("uid"), found.string("metadata", "uid"), target);
        return found;
    }

    /** Returns the requested lifetime; refuses one that is too short or too long. */
    private static long seconds(JsonObject spec) {
        long seconds = spec.has("expirationSeconds") ? spec.integer("expirationSeconds") : DEFAULT;
        checkLife(seconds);
        return seconds;
    }

    Reply create(Target target, JsonObject request, List<String> before, WriteOptions options) {
        Tokens tokens = options.requester().tokens();
        JsonObject found = account(target, request);
        JsonObject spec = request.object("spec");
        List<String> audiences =
                spec.strings("audiences").isEmpty() ? List.of(tokens.audience()) : spec.strings("audiences");
        long seconds = seconds(spec);
        JsonObject content = JsonObject.of("namespace", target.namespace(), "serviceaccount", reference(found));
        spec.findObject("boundObjectRef").ifPresent(bound -> bind(content, bound, target));
        List<String> warnings = new ArrayList<>(before);
        if (seconds > CAP) {
            warnings.add("requested expiration of " + seconds + " seconds shortened to " + CAP + " seconds");
            seconds = CAP;
        }
        Instant now = cluster.clock().instant().truncatedTo(ChronoUnit.SECONDS);
        Instant expires = now.plusSeconds(seconds);
        String subject = User.serviceAccount(target.namespace(), target.name()).name();
        Instant valid = expires;
        if (content.has("pod")
                && seconds == PROJECTED
                && List.of(tokens.audience()).containsAll(audiences)) {
            content.put("warnafter", expires.getEpochSecond());
            valid = now.plusSeconds(CAP);
        }
        String token = tokens.issue(new Tokens.Claims(subject, audiences, now, valid, cluster.uuid(), CLAIM, content))
                .orElseThrow(Refusal::noSuchResource);
        JsonObject answer = JsonObject.of("kind", KIND, "apiVersion", GROUP + "/v1")
                .set(
                        "metadata",
                        metadata(request, found).set("managedFields", List.of(owner(request, seconds, options))))
                .set(
                        "spec",
                        JsonObject.of("audiences", audiences, "expirationSeconds", seconds)
                                .set("boundObjectRef", spec.get("boundObjectRef")))
                .set("status", JsonObject.of("token", token, "expirationTimestamp", WriteContext.time(expires)));
        return new Reply.Shown(201, Documents.of(answer), warnings);
    }

    /** Returns the metadata as they were sent, with those of the account. */
    private JsonObject metadata(JsonObject request, JsonObject account) {
        JsonObject metadata = request.object("metadata").copy();
        for (String field : List.of("name", "namespace", "uid")) {
            metadata.put(field, account.string("metadata", field));
        }
        return metadata.set("creationTimestamp", cluster.now());
    }

    /** Returns the entry of the fields that the sender owns, though nothing is stored. */
    private JsonObject owner(JsonObject request, long seconds, WriteOptions options) {
        JsonObject spec = request.object("spec").copy();
        spec.keySet().removeIf(field -> Json.isEmpty(spec.get(field)));
        spec.put("expirationSeconds", seconds);
        JsonObject metadata = request.object("metadata").copy();
        metadata.keySet().removeAll(UNOWNED);
        JsonObject owned = metadata.isEmpty() ? new JsonObject() : JsonObject.of("f:metadata", fields(metadata));
        return JsonObject.of("manager", options.fieldManager(), "operation", "Update")
                .set("apiVersion", GROUP + "/v1")
                .set("time", cluster.now())
                .set("fieldsType", "FieldsV1")
                .set("fieldsV1", owned.set("f:spec", fields(spec)))
                .set("subresource", "token");
    }

    private static JsonObject fields(JsonObject tree) {
        JsonObject fields = new JsonObject();
        tree.sorted()
                .forEach((key, value) ->
                        fields.put("f:" + key, value instanceof JsonObject object ? fields(object) : new JsonObject()));
        return fields;
    }

    private static void checkName(String given, Target target) {
        if (!given.isEmpty() && !given.equals(target.name())) {
            FieldError error =
                    FieldError.invalid("metadata.name", given, "must match the service account name if specified");
            throw Refusal.invalid(GROUP, KIND, target.name(), List.of(error));
        }
    }

    private static void checkUid(String given, String present, Target target) {
        if (!given.isEmpty() && !given.equals(present)) {
            String message = "Operation cannot be fulfilled on " + KIND + "." + GROUP + " "
                    + GoTypes.quoted(target.name()) + ": the UID in the token request (" + given
                    + ") does not match the UID of the service account (" + present + ")";
            throw ApiException.of(Status.of(409, "Conflict", message, Status.Details.of(target.name(), GROUP, KIND)));
        }
    }

    private static void checkLife(long seconds) {
        String problem = seconds < SHORTEST
                ? "may not specify a duration less than 10 minutes"
                : seconds > LONGEST ? "may not specify a duration larger than 2^32 seconds" : "";
        if (!problem.isEmpty()) {
            FieldError error = FieldError.invalid("spec.expirationSeconds", seconds, problem);
            throw Refusal.invalid(GROUP, KIND, "", List.of(error));
        }
    }

    /** Adds the object that the token is bound to, and for a pod the node that it runs on. */
    private void bind(JsonObject content, JsonObject bound, Target account) {
        String apiVersion = bound.string("apiVersion");
        String kind = bound.string("kind");
        // upstream takes what is not a version for the core group
        boolean core = apiVersion.equals("/")
                || apiVersion.chars().filter(c -> c == '/').count() != 1;
        if (!core || !List.of("Pod", "Secret", "Node").contains(kind)) {
            String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
            String group = core ? "" : apiVersion.substring(0, apiVersion.indexOf('/'));
            throw Refusal.badRequest("cannot bind token to object of type " + group + "/" + version + ", Kind=" + kind);
        }
        String namespace = kind.equals("Node") ? "" : account.namespace();
        Target target = target(kind, namespace, bound.string("name"));
        JsonObject object = object(target);
        if (kind.equals("Pod") && !object.string("spec", "serviceAccountName").equals(account.name())) {
            throw Refusal.badRequest("cannot bind token for serviceaccount " + GoTypes.quoted(account.name())
                    + " to pod running with different serviceaccount name.");
        }
        String uid = bound.string("uid");
        if (!uid.isEmpty() && !uid.equals(object.string("metadata", "uid"))) {
            throw conflict(target, uid);
        }
        content.put(kind.toLowerCase(java.util.Locale.ROOT), reference(object));
        String node = object.string("spec", "nodeName");
        if (kind.equals("Pod") && !node.isEmpty()) {
            Target place = target("Node", "", node);
            Store.Entry entry = cluster.read(place);
            content.put("node", entry == null ? JsonObject.of("name", node) : reference(cluster.tree(entry, place)));
        }
    }

    private static ApiException conflict(Target target, String uid) {
        String message = "Operation cannot be fulfilled on " + target.type().kind() + " "
                + GoTypes.quoted(target.name()) + ": the UID in the bound object reference (" + uid
                + ") does not match the UID in record. The object might have been deleted and then recreated";
        return ApiException.of(Status.of(
                409,
                "Conflict",
                message,
                Status.Details.of(target.name(), "", target.type().kind())));
    }

    private Target target(String kind, String namespace, String name) {
        return cluster.types().get().kind("v1", kind).orElseThrow().withName(namespace, name);
    }

    private JsonObject object(Target target) {
        return cluster.tree(cluster.require(target), target);
    }

    private static JsonObject reference(JsonObject object) {
        JsonObject metadata = object.object("metadata");
        return JsonObject.of("name", metadata.string("name"), "uid", metadata.string("uid"));
    }
}
