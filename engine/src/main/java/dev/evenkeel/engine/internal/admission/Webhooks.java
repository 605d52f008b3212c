package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.patch.Patches;
import dev.evenkeel.engine.internal.type.WebhookObserver;
import dev.evenkeel.engine.spi.AdmissionCaller;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admission webhooks of a partition, as steps of the pipeline: each write is sent to the matching webhooks of its
 * Mutating- and ValidatingWebhookConfigurations.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>Configurations are processed by name, and the webhooks of each in their order; the mutating ones before the
 *       object is validated, each with the changes of those before it; the validating ones afterwards. The first denial
 *       ends the sequence.
 *   <li>A mutating webhook with a reinvocation policy of IfNeeded is called a second time when a later one changes the
 *       object, and never a third time.
 *   <li>A patched object is read like a body: pruned, defaulted, validated; name, namespace and the fields that only
 *       the server sets are kept.
 *   <li>A webhook that cannot be reached, or does not answer with a review, is skipped or fails the write, according to
 *       its failure policy. A denial is never skipped.
 *   <li>Webhook configurations and policies are never subject to webhooks: a wrong one can always be deleted.
 * </ol>
 *
 * <p>A configuration is effective from its commit on: configurations are read with each write, which costs nothing
 * where there are none. Semantics and messages: upstream's; webhooks are called one after another.
 */
public record Webhooks(WriteContext cluster, Optional<AdmissionCaller> caller, WebhookMatching matching) {
    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final String MUTATION = "mutation.webhook.admission.k8s.io/";
    private static final String PATCH = "patch.webhook.admission.k8s.io/";
    private static final String VALIDATION = "validating.webhook.admission.k8s.io/";

    /**
     * A webhook of a configuration.
     *
     * @param configuration its name
     * @param number of the webhook among all of its form
     */
    private record Hook(String configuration, JsonObject webhook, int number) {
        String name() {
            return webhook.string("name");
        }
    }

    /** @param caller calls webhooks; empty when none are called */
    public Webhooks(WriteContext cluster, Permissions permissions, Optional<AdmissionCaller> caller) {
        this(cluster, caller, new WebhookMatching(cluster, permissions));
    }

    /** Calls the webhooks that may change the object. */
    public void mutate(Write write, Reinvocation reinvocation) {
        List<Hook> webhooks = webhooks(write, "mutatingwebhookconfigurations");
        if (webhooks.isEmpty()) {
            return;
        }
        Reinvocation.Stage stage = reinvocation.webhooks();
        stage.begin(write.tree());
        for (Hook hook : webhooks) {
            mutate(write, hook, stage);
        }
        stage.end(write.tree());
    }

    private void mutate(Write write, Hook hook, Reinvocation.Stage stage) {
        if (stage.skips(hook.number)) {
            return;
        }
        matching.question(hook.webhook, write).ifPresent(question -> {
            if (call(hook, question, true, "round_" + (stage.again() ? 1 : 0) + "_index_" + hook.number)) {
                stage.changed();
            }
            if (hook.webhook.string("reinvocationPolicy").equals("IfNeeded")) {
                stage.called(hook.number);
            }
        });
    }

    /** Calls the webhooks that may only refuse the object. */
    public void validate(Write write) {
        for (Hook hook : webhooks(write, "validatingwebhookconfigurations")) {
            matching.question(hook.webhook, write).ifPresent(question -> {
                boolean unused = call(hook, question, false, "round_0_index_" + hook.number);
            });
        }
    }

    private List<Hook> webhooks(Write write, String plural) {
        if (caller.isEmpty()
                || write.operation() == Operation.RESTORE
                || write.target().type().group().equals(GROUP)) {
            return List.of();
        }
        List<Hook> hooks = new ArrayList<>(0);
        for (JsonObject configuration : cluster.objects(plural + "." + GROUP, "")) {
            String name = configuration.string("metadata", "name");
            configuration.objects("webhooks").forEach(webhook -> hooks.add(new Hook(name, webhook, hooks.size())));
        }
        return hooks;
    }

    // calling

    /**
     * Calls a webhook and returns true if the object has changed.
     *
     * @param place the end of the keys of audit annotations about the call
     */
    private boolean call(Hook hook, WebhookQuestion question, boolean mutating, String place) {
        WebhookObserver.Call observed = question.write()
                .options()
                .requester()
                .webhooks()
                .begun(hook.name(), question.write().operation().name(), mutating);
        boolean changed = false;
        Ending ending = new Ending();
        try {
            changed = answer(hook, question, mutating, place, ending);
        } finally {
            observed.ended(ending.outcome, ending.code);
            if (mutating) {
                annotate(
                        question.write(),
                        MUTATION + place,
                        Json.text(JsonObject.of(
                                "configuration", hook.configuration, "webhook", hook.name(), "mutated", changed)));
            }
        }
        return changed;
    }

    private static void annotate(Write write, String key, String value) {
        write.options().requester().audit().accept(key, value);
    }

    /** The end of a call. Unless something else is known, the webhook or its answer cannot be used. */
    private static final class Ending {
        private WebhookObserver.Outcome outcome = WebhookObserver.Outcome.UNUSABLE;
        private int code;

        void set(WebhookObserver.Outcome value, int status) {
            outcome = value;
            code = status;
        }
    }

    private boolean answer(Hook hook, WebhookQuestion question, boolean mutating, String place, Ending ending) {
        Write write = question.write();
        String name = hook.name();
        String effects = hook.webhook.string("sideEffects");
        if (write.options().dryRun() && !effects.equals("None") && !effects.equals("NoneOnDryRun")) {
            throw Refusal.badRequest("admission webhook \"" + name + "\" does not support dry run");
        }
        Object response;
        try {
            response = response(hook.webhook, question, mutating);
        } catch (IOException e) {
            boolean ignored = hook.webhook.string("failurePolicy").equals("Ignore");
            ending.set(
                    ignored ? WebhookObserver.Outcome.IGNORED : WebhookObserver.Outcome.FAILED,
                    e.getCause() instanceof WebhookStatusException answered ? answered.code() : UNAVAILABLE);
            if (ignored) {
                LOG.atWarn()
                        .addKeyValue("webhook", name)
                        .addKeyValue("reason", e.getMessage())
                        .log("cannot reach an admission webhook; ignoring it");
                annotate(write, "failed-open." + (mutating ? MUTATION : VALIDATION) + place, name);
                return false;
            }
            throw Refusal.internalError("failed calling webhook \"" + name + "\": " + e.getMessage());
        }
        WebhookMatching.list(response, "warnings")
                .forEach(warning -> write.warnings().add(String.valueOf(warning)));
        Json.object(Json.at(response, "auditAnnotations"))
                .ifPresent(annotations ->
                        annotations.forEach((key, value) -> annotate(write, name + "/" + key, String.valueOf(value))));
        if (!Boolean.TRUE.equals(Json.at(response, "allowed"))) {
            ApiException denied = denied(name, Json.at(response, "status"));
            ending.set(WebhookObserver.Outcome.DENIED, denied.code());
            throw denied;
        }
        String patch = Json.string(response, "patch");
        if (!mutating || patch.isEmpty()) {
            ending.set(WebhookObserver.Outcome.ALLOWED, OK);
            return false;
        }
        if (write.operation() == Operation.DELETE) {
            throw Refusal.internalError("admission webhook \"" + name
                    + "\" attempted to modify the object, which is not supported for this operation");
        }
        boolean changed = change(question, patch);
        Object operations = Json.parse(Base64.getDecoder().decode(patch), cluster.limits());
        annotate(
                write,
                PATCH + place,
                Json.text(JsonObject.of("configuration", hook.configuration, "webhook", name)
                        .set("patch", operations)
                        .set("patchType", "JSONPatch")));
        ending.set(WebhookObserver.Outcome.ALLOWED, OK);
        return changed;
    }

    private Object response(JsonObject webhook, WebhookQuestion question, boolean mutating) throws IOException {
        String version = WebhookQuestion.reviewVersion(WebhookMatching.list(webhook, "admissionReviewVersions"))
                .orElseThrow(() -> new IOException("could not create admission objects: webhook does not accept known"
                        + " AdmissionReview versions (v1, v1beta1)"));
        long seconds = webhook.get("timeoutSeconds") instanceof Long given ? given : 10;
        String uid = cluster.uuid();
        byte[] answer;
        try {
            answer = caller.orElseThrow()
                    .call(
                            webhook(webhook.string("name"), webhook.get("clientConfig")),
                            Json.write(question.review(uid, version)),
                            Duration.ofSeconds(seconds));
        } catch (IOException e) {
            throw new IOException("failed to call webhook: " + e.getMessage(), e);
        }
        try {
            return WebhookQuestion.response(Json.parse(answer, cluster.limits()), uid, version, mutating);
        } catch (JsonException e) {
            throw new IOException("received invalid webhook response: " + e.getMessage(), e);
        }
    }

    /** Reads the {@code clientConfig} of a webhook of admission or conversion. */
    static AdmissionCaller.Webhook webhook(String name, @Nullable Object client) throws IOException {
        String url = Json.string(client, "url");
        Object service = Json.at(client, "service");
        long port = Json.at(service, "port") instanceof Long given ? given : 443;
        try {
            return new AdmissionCaller.Webhook(
                    name,
                    url.isEmpty() ? Optional.empty() : Optional.of(URI.create(url)),
                    service == null
                            ? Optional.empty()
                            : Optional.of(new AdmissionCaller.Service(
                                    Json.string(service, "namespace"),
                                    Json.string(service, "name"),
                                    Json.string(service, "path"),
                                    (int) port)),
                    new String(Base64.getDecoder().decode(Json.string(client, "caBundle")), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException("clientConfig cannot be read: " + e.getMessage(), e);
        }
    }

    // denial

    private static ApiException denied(String name, @Nullable Object status) {
        String text = "admission webhook \"" + name + "\" denied the request";
        String message = Json.string(status, "message");
        String reason = Json.string(status, "reason");
        text += !message.isEmpty() ? ": " + message : !reason.isEmpty() ? ": " + reason : " without explanation";
        long code = Json.integer(status, "code");
        List<Status.Cause> causes = new ArrayList<>();
        Object details = Json.at(status, "details");
        Json.array(Json.at(details, "causes"))
                .forEach(cause -> causes.add(new Status.Cause(
                        Json.string(cause, "reason"), Json.string(cause, "message"), Json.string(cause, "field"))));
        int refused = code < 400 || code > 599 ? 400 : (int) code;
        if (details == null) {
            return ApiException.of(Status.of(refused, reason, text));
        }
        Status.Details shown = Status.Details.of(
                Json.string(details, "name"), Json.string(details, "group"), Json.string(details, "kind"));
        return ApiException.of(Status.of(refused, reason, text, shown.causes(causes)));
    }

    /** Replaces the object by the patched one and returns true if it has changed. */
    private boolean change(WebhookQuestion question, String patch) {
        Write write = question.write();
        JsonObject changed;
        try {
            Object patched = Patches.apply(
                            Patch.Type.JSON,
                            question.seen(write.tree()).copy(),
                            Base64.getDecoder().decode(patch),
                            question.schema(),
                            cluster.limits(),
                            problem -> {})
                    .tree();
            changed =
                    Json.object(patched).orElseThrow(() -> new IllegalArgumentException("the patch leaves no object"));
        } catch (ApiException | IllegalArgumentException e) {
            throw Refusal.internalError(String.valueOf(e.getMessage()));
        }
        return question.replace(changed);
    }
}
