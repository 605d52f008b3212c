package dev.evenkeel.testing;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.cache.Namespaces;
import dev.evenkeel.testing.diff.Rendering;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * A table of cases for one part of a tree: the object that it works on in memory, and <em>everything</em> that one run of
 * it does. As {@link ReconcilerTests}, but for the root.
 *
 * @param <T> class of the primary objects
 */
public final class SubReconcilerTests<T extends HasMetadata> {
    private final Function<World, ? extends SubReconciler<T>> factory;
    private final Suite suite = new Suite();
    private Controller<T> controller;

    private SubReconcilerTests(Kind<T> kind, Function<World, ? extends SubReconciler<T>> factory) {
        this.factory = factory;
        this.controller = Controller.of(kind, reconciliation -> Result.done());
    }

    /** Cases of a part that is made anew for each. */
    public static <T extends HasMetadata> SubReconcilerTests<T> of(
            Class<T> type, Supplier<? extends SubReconciler<T>> part) {
        return new SubReconcilerTests<>(Kind.of(type), world -> part.get());
    }

    /** Cases of a part that is made for the world of each. */
    public static <T extends HasMetadata> SubReconcilerTests<T> in(
            Class<T> type, Function<World, ? extends SubReconciler<T>> factory) {
        return new SubReconcilerTests<>(Kind.of(type), factory);
    }

    /**
     * What the controller declares beside what the part itself {@linkplain SubReconciler#declare does}, as {@code c ->
     * c.owns(Deployment.class).tracks(Kind.of(Secret.class))}.
     */
    public SubReconcilerTests<T> declaring(UnaryOperator<Controller<T>> declarations) {
        controller = declarations.apply(controller);
        return this;
    }

    /** CustomResourceDefinitions, as YAML: the kinds that are served beside the built-in ones. */
    public SubReconcilerTests<T> definitions(String yaml) {
        suite.define(yaml);
        return this;
    }

    /** CustomResourceDefinitions in a file. */
    public SubReconcilerTests<T> definitions(Path file) {
        suite.define(file);
        return this;
    }

    /** The controller works in these namespaces only, as in a manager of these; by default in all. */
    public SubReconcilerTests<T> namespaces(String... names) {
        suite.work(Namespaces.of(names));
        return this;
    }

    /** These objects are there in all cases. */
    public SubReconcilerTests<T> given(Given<?>... objects) {
        suite.give(List.of(objects));
        return this;
    }

    /** How differences are shown; default: with colours where the terminal has them. */
    public SubReconcilerTests<T> rendering(Rendering value) {
        suite.render(value);
        return this;
    }

    /** Adds a case. */
    public SubReconcilerTests<T> test(String name, Consumer<SubReconcilerCase<T>> specification) {
        return add(name, false, specification);
    }

    /** Adds a case and leaves out all others that are not focused; the suite fails then, lest it stays so. */
    public SubReconcilerTests<T> focus(String name, Consumer<SubReconcilerCase<T>> specification) {
        return add(name, true, specification);
    }

    private SubReconcilerTests<T> add(String name, boolean focused, Consumer<SubReconcilerCase<T>> specification) {
        suite.add(name, focused, () -> {
            SubReconcilerCase<T> one = new SubReconcilerCase<>();
            specification.accept(one);
            one.run(suite, this);
        });
        return this;
    }

    SubReconciler<T> part(World world) {
        return factory.apply(world);
    }

    Controller<T> controller() {
        return controller;
    }

    /** The cases, for a {@code @TestFactory}. */
    public Stream<DynamicTest> stream() {
        return suite.stream();
    }
}
