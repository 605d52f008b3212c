package dev.evenkeel.testing;

import dev.evenkeel.controller.Outcome;
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
 * A table of cases for an admission webhook: what the server asks, and <em>everything</em> that answering does. The webhook
 * is a function; how it is reached is not looked at.
 *
 * <pre>{@code
 * AdmissionWebhookTests.of(Websites::admission)
 *         .definitions(Path.of("website", "crd.yaml"))
 *         .test("gives a default host", t -> t
 *                 .create(site)
 *                 .expectPatched(site.at("spec.host", "blog.example.com")))
 *         .test("does not let go of a host", t -> t
 *                 .update(site.at("spec.host", "a"), site.at("spec.host", "b"))
 *                 .expectDenied(422, "spec.host must not change"))
 *         .stream();
 * }</pre>
 *
 * <p>Each case has a webhook and a {@link World} of its own.
 */
public final class AdmissionWebhookTests extends Suite<AdmissionWebhookTests, AdmissionWebhookTests.Case> {
    private final Function<World, ? extends Function<AdmissionRequest, AdmissionResponse>> factory;

    private AdmissionWebhookTests(Function<World, ? extends Function<AdmissionRequest, AdmissionResponse>> factory) {
        this.factory = factory;
    }

    /** Cases of a webhook that is made anew for each. */
    public static AdmissionWebhookTests of(Supplier<? extends Function<AdmissionRequest, AdmissionResponse>> webhook) {
        return in(world -> webhook.get());
    }

    /** Cases of a webhook that is made for the world of each: it calls {@link World#reactive}. */
    public static AdmissionWebhookTests in(
            Function<World, ? extends Function<AdmissionRequest, AdmissionResponse>> factory) {
        return new AdmissionWebhookTests(factory);
    }

    @Override
    AdmissionWebhookTests self() {
        return this;
    }

    @Override
    Case newCase(String name) {
        return new Case();
    }

    @Override
    void run(Case specified) {
        specified.run(fixture, factory);
    }

    /**
     * A case of {@link AdmissionWebhookTests}: what the server asks, what the webhook answers, and everything that it does
     * besides.
     *
     * <p>The server asks as it does in earnest: with a uid, with the group, version, kind and resource of what it serves, with
     * its defaults in the object, and with the old object as it is stored, which is in the world, too. That the answer has the
     * uid of the request is always looked at.
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

        @Override
        Case self() {
            return this;
        }

        private Case asks(AdmissionQuestion value) {
            if (question != null) {
                throw new IllegalArgumentException("this case asks " + question.operation() + " already, and asks once:"
                        + " make another one for " + value.operation());
            }
            question = value;
            return this;
        }

        /** May this be created? */
        public <T extends HasMetadata> Case create(Given<T> object) {
            return asks(AdmissionQuestion.create(object));
        }

        /** May this, which is there, become that? */
        public <T extends HasMetadata> Case update(Given<T> old, Given<T> object) {
            if (!old.key().equals(object.key())) {
                throw new IllegalArgumentException(
                        "update: an object keeps its key, and this is " + old.key() + " and then " + object.key());
            }
            return asks(AdmissionQuestion.update(old, object));
        }

        /** May this, which is there, be deleted? */
        public <T extends HasMetadata> Case delete(Given<T> object) {
            return asks(AdmissionQuestion.delete(object));
        }

        /**
         * May somebody connect to this, which is there?
         *
         * @param subresource such as {@code exec}
         */
        public <T extends HasMetadata> Case connect(Given<T> object, String subresource) {
            return subresource(subresource).asks(AdmissionQuestion.connect(object, Optional.empty()));
        }

        /**
         * May somebody connect to this, which is there?
         *
         * @param subresource such as {@code exec}
         * @param options what for, such as PodExecOptions: the object of the request
         */
        public <T extends HasMetadata> Case connect(Given<T> object, String subresource, KubernetesResource options) {
            return subresource(subresource).asks(AdmissionQuestion.connect(object, Optional.of(options)));
        }

        /** It is about this part of the object, such as {@code status}. */
        public Case subresource(String value) {
            subresource = value;
            return this;
        }

        /** Who asks; default: {@code jane}, of {@code system:authenticated} alone. */
        public Case user(String name, String... ofGroups) {
            user = name;
            groups = List.of(ofGroups);
            return this;
        }

        /** Nothing will come of it: the webhook should do nothing besides answering. */
        public Case dryRun() {
            dryRun = true;
            return this;
        }

        /** The request is changed so in the end: for what cannot be said otherwise. */
        public Case request(Consumer<AdmissionRequest> change) {
            finalChanges.add(change);
            return this;
        }

        /** It is allowed; this is the default. */
        public Case expectAllowed() {
            expected.denial = Optional.empty();
            return this;
        }

        /**
         * It is denied.
         *
         * @param code HTTP status, as the server reads it: it makes 400 of none, and of those that are no error
         * @param message a part of what the user is told
         */
        public Case expectDenied(int code, String message) {
            expected.denial = Optional.of(new AdmissionAnswer.Denial(code, message));
            return this;
        }

        /** It warns so; what else it warns of is not expected. */
        public Case expectWarning(String warning) {
            expected.warnings.add(warning);
            return this;
        }

        /** It leaves this for the audit log; what else it leaves is not expected. */
        public Case expectAuditAnnotation(String key, String value) {
            expected.auditAnnotations.put(key, value);
            return this;
        }

        /**
         * Its patch makes this of the object. Defaults that the server gives, and what only the server sets, need not be said;
         * see {@link #comparing}.
         */
        public Case expectPatched(Given<?> object) {
            expected.change = new AdmissionAnswer.Patched(object);
            return this;
        }

        /** Its patch is this one: a list of operations of RFC 6902, in whatever layout. */
        public Case expectPatch(String json) {
            expected.change = new AdmissionAnswer.Operations(json);
            return this;
        }

        /** It changes nothing; this is the default. */
        public Case expectNoPatch() {
            expected.change = new AdmissionAnswer.Nothing();
            return this;
        }

        void run(Fixture fixture, Function<World, ? extends Function<AdmissionRequest, AdmissionResponse>> factory) {
            AdmissionQuestion asked = question;
            if (asked == null) {
                throw new IllegalArgumentException(
                        "this case asks nothing: say create(object), update(old, new), delete(object) or connect(...)");
            }
            if (result != null || !tracks.isEmpty()) {
                throw new IllegalArgumentException(
                        "a webhook has no result and tracks nothing: expect what it answers, as"
                                + " expectDenied(code, message)");
            }
            if (expected.change.isSome() && !asked.patchable()) {
                throw new IllegalArgumentException("expectPatch: the server refuses a patch on " + asked.operation()
                        + ": there is nothing to change");
            }
            try (World world = fixture.world(now.orElse(World.NOW))) {
                clean(world, () -> {
                    AdmissionRequest request =
                            asked.request(world, new AdmissionQuestion.Manner(subresource, user, groups, dryRun));
                    finalChanges.forEach(change -> change.accept(request));
                    furnish(world);
                    Function<AdmissionRequest, AdmissionResponse> webhook = factory.apply(world);
                    complicate(world);
                    CaseResult verdict = new CaseResult(fixture.rendering);
                    List<AdmissionResponse> answers = new ArrayList<>();
                    CaseResult.Observed seen = Runner.observe(
                            world,
                            List.of(),
                            () -> {
                                answers.add(webhook.apply(request));
                                return Outcome.done();
                            },
                            this,
                            verdict);
                    if (seen.thrown() == null && errors.isEmpty()) {
                        expected.judge(asked, request, answers.getFirst(), world, this, verdict);
                    }
                    verdict.judge(this, seen);
                    world.unused().forEach(verdict::problem);
                    verdict.pass(world, seen.before());
                });
            }
        }
    }
}
