package dev.evenkeel.testing;

import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

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
public final class AdmissionWebhookTests {
    private final Function<World, ? extends Function<AdmissionRequest, AdmissionResponse>> factory;
    private final Suite suite = new Suite();

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

    /** CustomResourceDefinitions, as YAML: the kinds that are served beside the built-in ones. */
    public AdmissionWebhookTests definitions(String yaml) {
        suite.define(yaml);
        return this;
    }

    /** CustomResourceDefinitions in a file. */
    public AdmissionWebhookTests definitions(Path file) {
        suite.define(file);
        return this;
    }

    /** These objects are there in all cases. */
    public AdmissionWebhookTests given(Given<?>... objects) {
        suite.give(List.of(objects));
        return this;
    }

    /** How differences are shown; default: with colours where the terminal has them. */
    public AdmissionWebhookTests rendering(Rendering value) {
        suite.render(value);
        return this;
    }

    /** Adds a case. */
    public AdmissionWebhookTests test(String name, Consumer<AdmissionWebhookCase> specification) {
        return add(name, false, specification);
    }

    /** Adds a case and leaves out all others that are not focused; the suite fails then, lest it stays so. */
    public AdmissionWebhookTests focus(String name, Consumer<AdmissionWebhookCase> specification) {
        return add(name, true, specification);
    }

    private AdmissionWebhookTests add(String name, boolean focused, Consumer<AdmissionWebhookCase> specification) {
        suite.add(name, focused, () -> {
            AdmissionWebhookCase one = new AdmissionWebhookCase();
            specification.accept(one);
            one.run(suite, factory);
        });
        return this;
    }

    /** The cases, for a {@code @TestFactory}. */
    public Stream<DynamicTest> stream() {
        return suite.stream();
    }
}
