package dev.evenkeel.testing;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.cache.Namespaces;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * A table of cases for a controller: each names what is there and <em>everything</em> that one reconciliation does.
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> websites() {
 *     return ReconcilerTests.of(Websites::controller)
 *             .definitions(Path.of("website", "crd.yaml"))
 *             .test("creates the deployment", t -> t
 *                     .given(site)
 *                     .expectCreate(deployment)
 *                     .expectStatusUpdate(site.condition("Ready").isFalse("Starting", "no replica is ready")))
 *             .test("a refused create is reported, and tried again", t -> t
 *                     .given(site)
 *                     .react(on(CREATE).kind(Deployment.class).fails(forbidden("quota")))
 *                     .expectCreate(deployment)
 *                     .expectError(ForbiddenException.class))
 *             .stream();
 * }
 * }</pre>
 *
 * <p>Each case has a controller and a {@link World} of its own, so cases run in any order and side by side.
 *
 * @param <T> class of the primary objects
 */
public final class ReconcilerTests<T extends HasMetadata> {
    /** Makes the controller of a case. */
    @FunctionalInterface
    public interface Factory<T extends HasMetadata> {
        /** A controller that uses what it needs of this world: its clock, its meters, other clusters. */
        Controller<T> controller(World world);
    }

    private final Factory<T> factory;
    private final Suite suite = new Suite();

    private ReconcilerTests(Factory<T> factory) {
        this.factory = factory;
    }

    /** Cases of a controller that is made anew for each. */
    public static <T extends HasMetadata> ReconcilerTests<T> of(Supplier<Controller<T>> controller) {
        return new ReconcilerTests<>(world -> controller.get());
    }

    /** Cases of a controller that is made for the world of each. */
    public static <T extends HasMetadata> ReconcilerTests<T> in(Factory<T> factory) {
        return new ReconcilerTests<>(factory);
    }

    /** CustomResourceDefinitions, as YAML: the kinds that are served beside the built-in ones. */
    public ReconcilerTests<T> definitions(String yaml) {
        suite.define(yaml);
        return this;
    }

    /** CustomResourceDefinitions in a file. */
    public ReconcilerTests<T> definitions(Path file) {
        suite.define(file);
        return this;
    }

    /** The controller works in these namespaces only, as in a manager of these; by default in all. */
    public ReconcilerTests<T> namespaces(String... names) {
        suite.work(Namespaces.of(names));
        return this;
    }

    /** These objects are there in all cases. */
    public ReconcilerTests<T> given(Given<?>... objects) {
        suite.give(List.of(objects));
        return this;
    }

    /** How differences are shown; default: with colours where the terminal has them. */
    public ReconcilerTests<T> rendering(Rendering value) {
        suite.render(value);
        return this;
    }

    /** Adds a case. */
    public ReconcilerTests<T> test(String name, Consumer<ReconcilerCase<T>> specification) {
        return add(name, false, specification);
    }

    /** Adds a case and leaves out all others that are not focused; the suite fails then, lest it stays so. */
    public ReconcilerTests<T> focus(String name, Consumer<ReconcilerCase<T>> specification) {
        return add(name, true, specification);
    }

    private ReconcilerTests<T> add(String name, boolean focused, Consumer<ReconcilerCase<T>> specification) {
        suite.add(name, focused, () -> {
            ReconcilerCase<T> one = new ReconcilerCase<>();
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
