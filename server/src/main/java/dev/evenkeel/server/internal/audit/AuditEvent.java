package dev.evenkeel.server.internal.audit;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.server.internal.audit.AuditPolicy.Level;
import dev.evenkeel.server.internal.audit.AuditPolicy.Recording;
import dev.evenkeel.server.internal.audit.AuditPolicy.Stage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The record of one request, written to the audit log at each of its stages.
 *
 * <p>A request that is not recorded has the event {@link #NONE}, all of whose methods do nothing. Thread-safe.
 */
public final class AuditEvent {
    /** The event of a request that is not recorded. */
    public static final AuditEvent NONE = new AuditEvent();

    private static final int MAX_USER_AGENT = 1024;

    private final @Nullable AuditLog log;
    private final Recording recording;
    private final JsonObject request;
    private final Instant received;
    private final Map<String, String> annotations = new TreeMap<>();
    private @Nullable JsonObject impersonated;
    private @Nullable JsonObject object;
    private @Nullable JsonObject status;
    private @Nullable Object requestObject;
    private @Nullable JsonObject responseObject;
    private boolean complete;

    /** The facts of a request that its headers and its connection tell. */
    public record Origin(String auditId, String uri, List<String> sourceIps, String userAgent) {}

    private AuditEvent() {
        log = null;
        recording = new Recording(Level.NONE, Set.of(), false);
        request = new JsonObject();
        received = Instant.EPOCH;
    }

    AuditEvent(AuditLog log, Recording recording, Attributes attributes, Origin origin, Instant received) {
        this.log = log;
        this.recording = recording;
        this.received = received;
        String agent = origin.userAgent();
        request = JsonObject.of("requestURI", origin.uri(), "verb", attributes.verb(), "user", user(attributes.user()))
                .setUnlessEmpty("sourceIPs", origin.sourceIps())
                .setUnlessEmpty(
                        "userAgent",
                        agent.length() > MAX_USER_AGENT ? agent.substring(0, MAX_USER_AGENT) + "...TRUNCATED" : agent)
                .set("auditID", origin.auditId());
        if (attributes.resourceRequest()) {
            object = new JsonObject()
                    .setUnlessEmpty("resource", attributes.resource())
                    .setUnlessEmpty("namespace", attributes.namespace())
                    .setUnlessEmpty("name", attributes.name())
                    .setUnlessEmpty("apiGroup", attributes.group())
                    .setUnlessEmpty("apiVersion", attributes.version())
                    .setUnlessEmpty("subresource", attributes.subresource());
        }
    }

    private static JsonObject user(User user) {
        return new JsonObject()
                .setUnlessEmpty("username", user.name())
                .setUnlessEmpty("uid", user.uid())
                .setUnlessEmpty("groups", user.groups())
                .setUnlessEmpty("extra", new JsonObject(user.extra()));
    }

    /** Returns true if the request is recorded at all, so that its body is of interest. */
    public boolean enabled() {
        return log != null;
    }

    /** Returns true if the content of the request is recorded. */
    public boolean wantsRequest() {
        return log != null && object != null && recording.level().includes(Level.REQUEST);
    }

    /** Returns true if the answer is recorded. */
    public boolean wantsResponse() {
        return log != null && object != null && recording.level().includes(Level.REQUEST_RESPONSE);
    }

    /** Records the user that the sender acts as. */
    public synchronized void impersonated(User user) {
        impersonated = user(user);
    }

    /** Adds an annotation; the first value of a key is kept. Patches of webhooks are content of the request. */
    public synchronized void annotate(String key, String value) {
        if (log != null
                && (!key.startsWith("patch.webhook.admission.k8s.io/")
                        || recording.level().includes(Level.REQUEST))) {
            annotations.putIfAbsent(key, value);
        }
    }

    /** Records the object of the request as it was sent: its identity, and from the level Request on the whole. */
    public synchronized void request(Object sent) {
        JsonObject reference = object;
        if (reference == null || !(sent instanceof JsonObject tree)) {
            return;
        }
        for (String field : List.of("namespace", "name", "uid", "resourceVersion")) {
            if (reference.string(field).isEmpty()) {
                reference.setUnlessEmpty(field, tree.string("metadata", field));
            }
        }
        if (wantsRequest()) {
            requestObject = shown(tree);
        }
    }

    /** Records a patch or options, which are not the object itself. */
    public synchronized void requestOptions(Object sent) {
        if (wantsRequest()) {
            requestObject = sent;
        }
    }

    /** Records the answer. */
    public synchronized void response(JsonObject tree) {
        if (tree.string("kind").equals("Status") && tree.string("apiVersion").equals("v1")) {
            status = tree.copy();
        }
        if (wantsResponse()) {
            responseObject = shown(tree);
        }
    }

    private JsonObject shown(JsonObject tree) {
        JsonObject copy = tree.copy();
        if (recording.omitManagedFields()) {
            withoutManagedFields(copy);
            copy.objects("items").forEach(AuditEvent::withoutManagedFields);
            copy.objects("rows").forEach(row -> withoutManagedFields(row.object("object")));
        }
        return copy;
    }

    private static void withoutManagedFields(JsonObject tree) {
        tree.findObject("metadata").ifPresent(metadata -> metadata.remove("managedFields"));
    }

    /** Writes the event of a request that has arrived. */
    void received() {
        write(Stage.REQUEST_RECEIVED, received);
    }

    /** Writes the event of an answer that has begun and ends much later. */
    public synchronized void started(int code) {
        code(code);
        write(Stage.RESPONSE_STARTED, now());
    }

    /** Writes the event of a request that was refused before its sender was known. */
    public synchronized void unauthenticated(int code, String message) {
        status = JsonObject.of("message", message);
        started(code);
        complete = true;
    }

    /**
     * Writes the event of an answer that is complete, unless the request has ended otherwise.
     *
     * @param code the code of the answer; 0 if the client was gone before it began
     */
    public synchronized void completed(int code) {
        if (complete || log == null) {
            return;
        }
        if (code == 0) {
            status = JsonObject.of("status", "Success", "message", "Connection closed early");
        }
        code(code == 0 ? 200 : code);
        end(Stage.RESPONSE_COMPLETE);
    }

    /** Writes the event of a request that has failed for a defect of the server. */
    public synchronized void panicked(Throwable why) {
        status = JsonObject.of("status", "Failure", "message", "APIServer panic'd: " + why, "reason", "InternalError");
        code(500);
        end(Stage.PANIC);
    }

    private void end(Stage stage) {
        complete = true;
        write(stage, now());
    }

    private void code(int code) {
        JsonObject known = status;
        status = (known == null ? new JsonObject() : known).set("code", (long) code);
    }

    private Instant now() {
        return log == null ? Instant.EPOCH : log.now();
    }

    private synchronized void write(Stage stage, Instant time) {
        if (log == null || recording.omitted().contains(stage)) {
            return;
        }
        JsonObject known = status;
        JsonObject shownStatus = known == null
                ? null
                : JsonObject.of("metadata", new JsonObject())
                        .setUnlessEmpty("status", known.string("status"))
                        .setUnlessEmpty("message", known.string("message"))
                        .setUnlessEmpty("reason", known.string("reason"))
                        .setUnlessEmpty("details", known.object("details"))
                        .set("code", known.get("code"));
        log.write(JsonObject.of("kind", "Event", "apiVersion", "audit.k8s.io/v1")
                .set("level", recording.level().text)
                .set("auditID", request.get("auditID"))
                .set("stage", stage.text)
                .set("requestURI", request.get("requestURI"))
                .set("verb", request.get("verb"))
                .set("user", request.get("user"))
                .setUnlessEmpty("impersonatedUser", impersonated)
                .setUnlessEmpty("sourceIPs", request.get("sourceIPs"))
                .setUnlessEmpty("userAgent", request.get("userAgent"))
                .setUnlessEmpty("objectRef", object)
                .setUnlessEmpty("responseStatus", shownStatus)
                .setUnlessEmpty("requestObject", requestObject)
                .setUnlessEmpty("responseObject", responseObject)
                .set("requestReceivedTimestamp", Times.micros(received))
                .set("stageTimestamp", Times.micros(time))
                .setUnlessEmpty("annotations", new JsonObject(annotations)));
    }
}
