package dev.evenkeel.testing;

import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table of cases for an admission webhook: each states a request, and <em>all</em> effects of answering it. The
 * webhook is a function; its transport is not tested.
 *
 * <pre>{@code
 * AdmissionWebhookTests.of(Websites::admission)
 *         .definitions(Path.of("website", "crd.yaml"))
 *         .test("gives a default host", t -> t
 *                 .create(site)
 *                 .expectPatched(site.at("spec.host", "blog.example.com")))
 *         .test("refuses a change of the host", t -> t
 *                 .update(site.at("spec.host", "a"), site.at("spec.host", "b"))
 *                 .expectDenied(422, "spec.host must not change"))
 *         .stream();
 * }</pre>
 *
 * <p>Each case has a webhook and a {@link TestCluster} of its own, which is always in this process.
 */
public final class AdmissionWebhookTests extends Suite<AdmissionWebhookTests, AdmissionWebhookTests.Case> {
    private final Function<TestCluster, ? extends Function<AdmissionRequest, AdmissionResponse>> factory;

    private AdmissionWebhookTests(
            Function<TestCluster, ? extends Function<AdmissionRequest, AdmissionResponse>> factory) {
        super(name -> new Case());
        this.factory = factory;
    }

    /** Returns a suite for a webhook that is created for each case. */
    public static AdmissionWebhookTests of(Supplier<? extends Function<AdmissionRequest, AdmissionResponse>> webhook) {
        return in(cluster -> webhook.get());
    }

    /** Returns a suite for a webhook that is created for the cluster of each case: it calls {@link TestCluster#reactive}. */
    public static AdmissionWebhookTests in(
            Function<TestCluster, ? extends Function<AdmissionRequest, AdmissionResponse>> factory) {
        return new AdmissionWebhookTests(factory);
    }

    @Override
    void run(Case specified) {
        specified.run(this);
    }

    /**
     * A case of {@link AdmissionWebhookTests}: a request, its answer, and all side effects of the webhook.
     *
     * <p>The request is complete: with a uid, with the group, version, kind and resource of the served type, with
     * defaults in the object, and with the old object as it is stored, which is in the cluster, too. The answer must have
     * the uid of the request.
     */
    public static final class Case extends Suite.Case<Case> {
        private final AdmissionAnswer expected = new AdmissionAnswer();
        private final List<Consumer<AdmissionRequest>> finalChanges = new ArrayList<>();
        private @Nullable AdmissionQuestion question;
        private String subresource = "";
        private String user = "jane";
        private List<String> groups = List.of("system:authenticated");
        private boolean dryRun;

        Case() {}

        private Case asks(AdmissionQuestion value) {
            if (question != null) {
                throw new IllegalArgumentException("this case has a request already, " + question.operation() + ":"
                        + " add another case for " + value.operation());
            }
            question = value;
            return this;
        }

        /** Requests to create this object. */
        public <T extends HasMetadata> Case create(Given<T> object) {
            return asks(AdmissionQuestion.create(object));
        }

        /** Requests to update an existing object. */
        public <T extends HasMetadata> Case update(Given<T> old, Given<T> object) {
            if (!old.key().equals(object.key())) {
                throw new IllegalArgumentException(
                        "update: an object keeps its key: " + old.key() + ", then " + object.key());
            }
            return asks(AdmissionQuestion.update(old, object));
        }

        /** Requests to delete this existing object. */
        public <T extends HasMetadata> Case delete(Given<T> object) {
            return asks(AdmissionQuestion.delete(object));
        }

        /**
         * Requests to connect to this existing object.
         *
         * @param subresource such as {@code exec}
         */
        public <T extends HasMetadata> Case connect(Given<T> object, String subresource) {
            return subresource(subresource).asks(AdmissionQuestion.connect(object, Optional.empty()));
        }

        /**
         * Requests to connect to this existing object.
         *
         * @param subresource such as {@code exec}
         * @param options object of the request, such as PodExecOptions
         */
        public <T extends HasMetadata> Case connect(Given<T> object, String subresource, KubernetesResource options) {
            return subresource(subresource).asks(AdmissionQuestion.connect(object, Optional.of(options)));
        }

        /** Sets the sub-resource of the request, such as {@code status}. */
        public Case subresource(String value) {
            subresource = value;
            return this;
        }

        /** Sets the user of the request; default: {@code jane}, of {@code system:authenticated} alone. */
        public Case user(String name, String... ofGroups) {
            user = name;
            groups = List.of(ofGroups);
            return this;
        }

        /** Makes the request a dry run: the webhook should have no side effects. */
        public Case dryRun() {
            dryRun = true;
            return this;
        }

        /** Changes the request finally, for properties without a method here. */
        public Case request(Consumer<AdmissionRequest> change) {
            finalChanges.add(change);
            return this;
        }

        /** Expects that the request is allowed; this is the default. */
        public Case expectAllowed() {
            expected.denial = Optional.empty();
            return this;
        }

        /**
         * Expects that the request is denied.
         *
         * @param code HTTP status, as interpreted by the server: a missing code, or one that is not an error, becomes
         *     400
         * @param message a part of the message for the user
         */
        public Case expectDenied(int code, String message) {
            expected.denial = Optional.of(new AdmissionAnswer.Denial(code, message));
            return this;
        }

        /** Expects this warning; a warning without an expectation fails the case. */
        public Case expectWarning(String warning) {
            expected.warnings.add(warning);
            return this;
        }

        /** Expects this audit annotation; one without an expectation fails the case. */
        public Case expectAuditAnnotation(String key, String value) {
            expected.auditAnnotations.put(key, value);
            return this;
        }

        /**
         * Expects that the patch turns the object into this one. Defaults of the server, and fields that only the
         * server sets, may be left out; see {@link #comparing}.
         */
        public Case expectPatched(Given<?> object) {
            expected.change = new AdmissionAnswer.Patched(object);
            return this;
        }

        /** Expects exactly this patch: a list of operations of RFC 6902, in any layout. */
        public Case expectPatch(String json) {
            expected.change = new AdmissionAnswer.Operations(json);
            return this;
        }

        /** Expects no patch; this is the default. */
        public Case expectNoPatch() {
            expected.change = new AdmissionAnswer.Nothing();
            return this;
        }

        void run(AdmissionWebhookTests suite) {
            AdmissionQuestion asked = question;
            if (asked == null) {
                throw new IllegalArgumentException(
                        "this case has no request: call create(object), update(old, new), delete(object) or connect(...)");
            }
            if (result != null || !tracks.isEmpty()) {
                throw new IllegalArgumentException("a webhook has no result and tracks nothing: expect its answer, as"
                        + " expectDenied(code, message)");
            }
            if (expected.changes() && !asked.patchable()) {
                throw new IllegalArgumentException("expectPatch: the server refuses a patch on " + asked.operation()
                        + ": it has no object to change");
            }
            try (TestCluster cluster = suite.fixture.inProcess(now.orElse(TestCluster.NOW))) {
                clean(cluster, () -> {
                    AdmissionRequest request =
                            asked.request(cluster, new AdmissionQuestion.Manner(subresource, user, groups, dryRun));
                    finalChanges.forEach(change -> change.accept(request));
                    furnish(cluster);
                    Function<AdmissionRequest, AdmissionResponse> webhook = suite.factory.apply(cluster);
                    complicate(cluster);
                    CaseResult verdict = new CaseResult(suite.fixture.rendering);
                    List<AdmissionResponse> answers = new ArrayList<>();
                    Supplier<Result> run = () -> {
                        answers.add(webhook.apply(request));
                        return Result.done();
                    };
                    CaseResult.Observed seen = Runner.observe(cluster, List.of(), new Stash(), run, this, verdict);
                    if (seen.thrown() == null && errors.isEmpty()) {
                        expected.judge(asked, request, answers.getFirst(), cluster, this, verdict);
                    }
                    verdict.judge(this, seen);
                    cluster.unused().forEach(verdict::problem);
                    verdict.pass(cluster, seen.before());
                });
            }
        }
    }
}
