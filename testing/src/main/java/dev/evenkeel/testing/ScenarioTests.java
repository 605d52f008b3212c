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
 * A table of scenarios for a controller: several steps in one world, such as reconcile, change, time passes, reconcile.
 *
 * <pre>{@code
 * ScenarioTests.of(Websites::controller)
 *         .definitions(Path.of("website", "crd.yaml"))
 *         .test("a website goes with all that it has", s -> s
 *                 .given(site)
 *                 .reconcile(site)
 *                 .settled(site)
 *                 .then(world -> world.client().delete(site.object()))
 *                 .reconcile(site, r -> r.expectUpdate(site.finalizers())))
 *         .stream();
 * }</pre>
 *
 * @param <T> class of the primary objects
 */
public final class ScenarioTests<T extends HasMetadata> {
    private final ReconcilerTests.Factory<T> factory;
    private final Suite suite = new Suite();

    private ScenarioTests(ReconcilerTests.Factory<T> factory) {
        this.factory = factory;
    }

    /** Cases of a controller that is made anew for each. */
    public static <T extends HasMetadata> ScenarioTests<T> of(Supplier<Controller<T>> controller) {
        return new ScenarioTests<>(world -> controller.get());
    }

    /** Cases of a controller that is made for the world of each. */
    public static <T extends HasMetadata> ScenarioTests<T> in(ReconcilerTests.Factory<T> factory) {
        return new ScenarioTests<>(factory);
    }

    /** CustomResourceDefinitions, as YAML: the kinds that are served beside the built-in ones. */
    public ScenarioTests<T> definitions(String yaml) {
        suite.define(yaml);
        return this;
    }

    /** CustomResourceDefinitions in a file. */
    public ScenarioTests<T> definitions(Path file) {
        suite.define(file);
        return this;
    }

    /** The controller works in these namespaces only, as in a manager of these; by default in all. */
    public ScenarioTests<T> namespaces(String... names) {
        suite.work(Namespaces.of(names));
        return this;
    }

    /** These objects are there in all cases. */
    public ScenarioTests<T> given(Given<?>... objects) {
        suite.give(List.of(objects));
        return this;
    }

    /** How differences are shown; default: with colours where the terminal has them. */
    public ScenarioTests<T> rendering(Rendering value) {
        suite.render(value);
        return this;
    }

    /** Adds a scenario. */
    public ScenarioTests<T> test(String name, Consumer<Scenario<T>> specification) {
        return add(name, false, specification);
    }

    /** Adds a case and leaves out all others that are not focused; the suite fails then, lest it stays so. */
    public ScenarioTests<T> focus(String name, Consumer<Scenario<T>> specification) {
        return add(name, true, specification);
    }

    private ScenarioTests<T> add(String name, boolean focused, Consumer<Scenario<T>> specification) {
        suite.add(name, focused, () -> {
            Scenario<T> one = new Scenario<>(name);
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
