package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.SemanticEquality;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Result.Problem;
import dev.evenkeel.controller.Result.Severity;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.GroupVersionKind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An admission webhook made of the same parts as reconcilers: it is called for a write before it happens, and the
 * parts' changes of the object are the response.
 *
 * <pre>{@code
 * AdmissionWebhookAdapter.of(Website.class)
 *     .defaults(site -> site.getSpec().setHostIfAbsent("example.com"))
 *     .reconciler(Sequence.of(resolveImage(), noPrivilegedPorts()))
 *     .build();
 * }</pre>
 *
 * <h2>Mapping of outcomes</h2>
 *
 * <table>
 *   <caption>Outcomes and responses</caption>
 *   <tr><th>outcome</th><th>response</th></tr>
 *   <tr><td>done, with any requeue</td><td>allowed</td></tr>
 *   <tr><td>halted</td><td>allowed, with the changes so far</td></tr>
 *   <tr><td>quiet, durable, failed</td><td>denied: with code and message of an {@link ApiException}, otherwise with
 *   500;
 *       see {@link Admission#deny}</td></tr>
 * </table>
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The response has the uid of the request, and allows it unless there was an error. It is never an exception.
 *   <li>There is a patch only when the write is allowed, an object is to be written (not on DELETE), and the parts made
 *       a semantic change to the object. Defaults alone are not a change: they are for the parts. But once there is a
 *       change, they are part of the patch.
 *   <li>The patch leads from the bytes that the server sent to the object, and changes nothing else: fields unknown to
 *       the object's class are kept.
 *   <li>A {@linkplain Builder#validating validating} one has no patch.
 * </ol>
 *
 * <p>An object that is marked for deletion is updated until its finalizers are gone: parts see the mark, as in a
 * controller, and finalize. On DELETE they see the stored object.
 *
 * @param <T> class of the objects
 */
public final class AdmissionWebhookAdapter<T extends HasMetadata>
        implements Function<AdmissionRequest, AdmissionResponse> {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionWebhookAdapter.class);

    /** A step before the parts, or after them. */
    @FunctionalInterface
    public interface Hook<T extends HasMetadata> {
        /**
         * Handles a request, and may change the response.
         *
         * @param reconciliation the same that the parts get; its resource is empty before the object is read
         * @param request the request
         * @param response the response so far
         */
        void handle(Reconciliation<T> reconciliation, AdmissionRequest request, AdmissionResponse response);

        /** Returns a hook that runs this one, and then the other. */
        default Hook<T> then(Hook<T> next) {
            return (reconciliation, request, response) -> {
                handle(reconciliation, request, response);
                next.handle(reconciliation, request, response);
            };
        }
    }

    private final Kind<T> kind;
    private final String name;
    private final Part<T> part;
    private final Consumer<T> defaults;
    private final Hook<T> before;
    private final Hook<T> after;
    private final Optional<Client> client;
    private final EventRecorder events;
    private final Clock clock;
    private final Duration timeout;
    private final boolean validating;
    private final AtomicBoolean toldOfChange = new AtomicBoolean();

    private AdmissionWebhookAdapter(Builder<T> builder, Part<T> part) {
        kind = builder.kind;
        name = builder.name;
        this.part = part;
        defaults = builder.defaults;
        before = builder.before;
        after = builder.after;
        client = builder.client;
        events = builder.events;
        clock = builder.clock;
        timeout = builder.timeout;
        validating = builder.validating;
    }

    /** Returns a builder of a webhook for objects of the kind of this class. */
    public static <T extends HasMetadata> Builder<T> of(Class<T> type) {
        return of(Kind.of(type));
    }

    /** Returns a builder of a webhook for objects of a kind. */
    public static <T extends HasMetadata> Builder<T> of(Kind<T> kind) {
        return new Builder<>(kind);
    }

    /** Returns the kind of the objects. */
    public Kind<T> kind() {
        return kind;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    /** Returns whether it only validates. */
    public boolean validating() {
        return validating;
    }

    /** Returns its time limit. */
    public Duration timeout() {
        return timeout;
    }

    /** Returns its description. */
    public Part.Description description() {
        return Part.Description.of("AdmissionWebhookAdapter").name(name).slots("reconciler", part);
    }

    @Override
    public AdmissionResponse apply(AdmissionRequest request) {
        return ReconcilerPath.within(name, () -> answer(request));
    }

    /**
     * Answers an {@code AdmissionReview} with a request by one with a response, both in JSON: for an engine in the same
     * process.
     *
     * @throws ApiException 400 when it is malformed
     */
    public byte[] review(byte[] review) {
        return AdmissionJson.review(apply(AdmissionJson.question(review)));
    }

    private AdmissionResponse answer(AdmissionRequest request) {
        AdmissionResponse response = new AdmissionResponse();
        response.setUid(request.getUid());
        response.setAllowed(true);
        Instant end = clock.instant().plus(timeout);
        AdmissionReconciliation<T> call = new AdmissionReconciliation<>(
                kind, request, client, events, clock, clock.instant(), end, new Stash(), new AtomicReference<>());
        call.stash().put(Admission.REQUEST, request);
        call.stash().put(Admission.RESPONSE, response);
        guarded(request, response, () -> {
            before.handle(call, request, response);
            handle(call, request, response);
        });
        guarded(request, response, () -> after.handle(call, request, response));
        if (!Boolean.TRUE.equals(response.getAllowed()) || validating || !patchable(request)) {
            response.setPatch(null);
            response.setPatchType(null);
        }
        return response;
    }

    private void guarded(AdmissionRequest request, AdmissionResponse response, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            deny(request, response, List.of(new Problem(Severity.FAILED, e)));
        }
    }

    private static boolean patchable(AdmissionRequest request) {
        return "CREATE".equals(request.getOperation()) || "UPDATE".equals(request.getOperation());
    }

    private void handle(AdmissionReconciliation<T> call, AdmissionRequest request, AdmissionResponse response) {
        byte[] text = text(request);
        T object = decoded(text, request);
        byte[] read = ModelCodec.encode(object);
        defaults.accept(object);
        T defaulted = ModelCodec.copy(object);
        call.subject().set(defaulted);
        Result outcome = part.reconcile(call, object);
        if (!outcome.succeeded()) {
            deny(request, response, outcome.problems());
            return;
        }
        if (!patchable(request)
                || response.getPatch() != null
                || response.getPatchType() != null
                || SemanticEquality.same(defaulted, object)) {
            return;
        }
        if (validating) {
            if (toldOfChange.compareAndSet(false, true)) {
                LOG.atWarn()
                        .addKeyValue("webhook", name)
                        .addKeyValue("object", call.key())
                        .log("a validating webhook changed the object, which is ignored");
            }
            return;
        }
        String patch = AdmissionJson.patch(text, read, ModelCodec.encode(object));
        LOG.atDebug()
                .addKeyValue("webhook", name)
                .addKeyValue("object", call.key())
                .addKeyValue("paths", () -> AdmissionJson.paths(patch))
                .log("mutating resource");
        response.setPatchType("JSONPatch");
        response.setPatch(Base64.getEncoder().encodeToString(patch.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the object of the request, as received. */
    private byte[] text(AdmissionRequest request) {
        String operation = Objects.requireNonNullElse(request.getOperation(), "");
        @Nullable
        Object subject = switch (operation) {
            case "CREATE", "UPDATE" -> request.getObject();
            case "DELETE" -> request.getOldObject();
            default ->
                throw badRequest("operation " + (operation.isEmpty() ? "is not said" : operation)
                        + ": this webhook answers for CREATE, UPDATE and DELETE of " + kind.kind()
                        + "; see the rules that it is registered with");
        };
        GroupVersionKind asked = request.getKind();
        if (asked != null
                && !(kind.kind().equals(asked.getKind())
                        && kind.group().equals(Objects.requireNonNullElse(asked.getGroup(), ""))
                        && kind.version().equals(asked.getVersion()))) {
            throw badRequest("kind: " + asked.getKind() + " of " + asked.getGroup() + "/" + asked.getVersion()
                    + ", and this webhook answers for " + kind.kind() + " of " + kind.apiVersion()
                    + "; see the rules that it is registered with");
        }
        if (subject == null) {
            throw badRequest((operation.equals("DELETE") ? "oldObject" : "object") + " is not there, and " + operation
                    + " of " + kind.kind() + " needs it");
        }
        return AdmissionJson.text(subject);
    }

    private T decoded(byte[] text, AdmissionRequest request) {
        try {
            T object = ModelCodec.decode(text, kind.javaType());
            if (object.getMetadata() == null) {
                throw badRequest("metadata is not there, and every " + kind.kind() + " has it");
            }
            return object;
        } catch (IllegalArgumentException e) {
            throw badRequest(("DELETE".equals(request.getOperation()) ? "oldObject" : "object") + " is not a "
                    + kind.kind() + ": " + e.getMessage());
        }
    }

    private ApiException badRequest(String message) {
        return DenialStatus.refusal(400, "AdmissionWebhookAdapter \"" + name + "\": " + message);
    }

    private void deny(AdmissionRequest request, AdmissionResponse response, List<Problem> problems) {
        Status status = DenialStatus.of(problems);
        problems.stream()
                // intended denials are reported to the client alone
                .filter(problem -> status.getCode() >= 500 && problem.severity() == Severity.FAILED)
                .forEach(problem -> LOG.atError()
                        .addKeyValue("webhook", name)
                        .addKeyValue("uid", request.getUid())
                        .addKeyValue("operation", request.getOperation())
                        .addKeyValue("part", ReconcilerPath.text())
                        .setCause(problem.error())
                        .log("reconcile error"));
        response.setAllowed(false);
        if (response.getStatus() == null) {
            response.setStatus(status);
        }
    }

    @Override
    public String toString() {
        return description().toString();
    }

    /** Builds a webhook. */
    public static final class Builder<T extends HasMetadata> {
        private final Kind<T> kind;
        private String name;
        private Optional<Part<T>> part = Optional.empty();
        private Consumer<T> defaults = object -> {};
        private Hook<T> before = (reconciliation, request, response) -> {};
        private Hook<T> after = (reconciliation, request, response) -> {};
        private Optional<Client> client = Optional.empty();
        private EventRecorder events = (object, type, reason, action, message) -> {};
        private Clock clock = Clock.systemUTC();
        private Duration timeout = Duration.ofSeconds(10);
        private boolean validating;

        private Builder(Kind<T> kind) {
            this.kind = kind;
            name = kind.kind() + "AdmissionWebhookAdapter";
        }

        /** Sets the name; default: the kind and {@code AdmissionWebhookAdapter}. */
        public Builder<T> name(String value) {
            name = value;
            return this;
        }

        /** Sets the parts; required. */
        public Builder<T> reconciler(SubReconciler<T> value) {
            part = Optional.of(Part.of(value));
            return this;
        }

        /** Sets defaults of the object, before the parts see it; default: none. */
        public Builder<T> defaults(Consumer<T> value) {
            defaults = value;
            return this;
        }

        /** Adds a first step; several run in order. An exception denies the write. */
        public Builder<T> before(Hook<T> hook) {
            before = before.then(hook);
            return this;
        }

        /** Adds a last step, run whatever happened before; several run in order. An exception denies the write. */
        public Builder<T> after(Hook<T> hook) {
            after = after.then(hook);
            return this;
        }

        /** Sets the client for the parts' reads; default: none, and a part that needs one fails. */
        public Builder<T> client(Client value) {
            client = Optional.of(value);
            return this;
        }

        /** Sets the recorder of the parts' events; default: none. */
        public Builder<T> events(EventRecorder value) {
            events = value;
            return this;
        }

        /** Sets the clock of the parts; default: the system's clock. */
        public Builder<T> clock(Clock value) {
            clock = value;
            return this;
        }

        /** Sets the time limit of a response, 1 to 30 seconds; default: 10 seconds. Parts see the remaining time. */
        public Builder<T> timeout(Duration value) {
            if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(Duration.ofSeconds(30)) > 0) {
                throw new IllegalArgumentException(
                        "timeout: the API server waits 1 to 30 seconds for a webhook, and this is " + value);
            }
            timeout = value;
            return this;
        }

        /** Sets whether it only validates: changes that parts make to the object are ignored; default: false. */
        public Builder<T> validating(boolean value) {
            validating = value;
            return this;
        }

        /**
         * Returns the webhook.
         *
         * @throws IllegalStateException when something is missing
         */
        public AdmissionWebhookAdapter<T> build() {
            return new AdmissionWebhookAdapter<>(
                    this,
                    part.orElseThrow(() -> new IllegalStateException("AdmissionWebhookAdapter \"" + name
                            + "\" must define reconciler: the parts that work on the object")));
        }
    }
}
