package dev.evenkeel.reconcile.part;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.internal.ReconcilerPath;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.stream.Stream;

/**
 * A part of a reconciler: a function, and its description.
 *
 * <p>The problem: a tree of parts must run, and be known before it runs: its triggers, its access rules, its diagram.
 * When each kind of part is a class that does all of that by itself, each forgets another bit. So there is one class.
 * Factories of parts (a sequence, a child, a condition) supply a function and a {@link Description}; everything common
 * to all parts is here:
 *
 * <ol>
 * <li>A part is complete when it is created: factories refuse missing arguments, by name. It needs no set-up, and may
 *     be used in several places and by several threads.
 * <li>Exceptions of the function are its outcome: {@link Outcome#failed}. Errors of the virtual machine and of
 *     assertions pass.
 * <li>While it runs, it is in the {@link ReconcilerPath}.
 * <li>The needs of its parts are its needs.
 * </ol>
 *
 * @param <T> class of the primary objects
 */
public final class Part<T extends HasMetadata> implements SubReconciler<T> {
    /** The kind of set-ups by code, which concern no particular kind. */
    private static final Kind<HasMetadata> ANY = new Kind<>(HasMetadata.class, "", "", "", "", false);

    private final Description description;
    private final SubReconciler<T> function;

    private Part(Description description, SubReconciler<T> function) {
        this.description = description;
        this.function = function;
    }

    /**
     * Returns a part with this description. If the function is a reconciler with declarations, the part needs those,
     * too.
     */
    public static <T extends HasMetadata> Part<T> of(Description description, SubReconciler<T> function) {
        return new Part<>(
                function instanceof Part<T> || !declares(function.getClass())
                        ? description
                        : description.needing(new Requirement.SetUp<>(any(), "a set-up of its own", function::declare)),
                function);
    }

    @SuppressWarnings("unchecked") // there is no object of it
    private static <T extends HasMetadata> Kind<T> any() {
        return (Kind<T>) ANY;
    }

    private static boolean declares(Class<?> type) {
        try {
            return !type.getMethod("declare", Controller.class)
                    .getDeclaringClass()
                    .equals(SubReconciler.class);
        } catch (NoSuchMethodException e) {
            throw new AssertionError("every SubReconciler has it", e);
        }
    }

    /** Returns any reconciler as a part: itself, when it is one; otherwise named after its class. */
    public static <T extends HasMetadata> Part<T> of(SubReconciler<T> reconciler) {
        return reconciler instanceof Part<T> part ? part : leaf(reconciler);
    }

    /** Returns reconcilers as parts. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T extends HasMetadata> List<Part<T>> all(SubReconciler<T>... reconcilers) {
        return Stream.of(reconcilers).map(Part::of).toList();
    }

    private static <T extends HasMetadata> Part<T> leaf(SubReconciler<T> reconciler) {
        Class<?> type = reconciler.getClass();
        String name = type.isSynthetic() || type.getSimpleName().isEmpty() ? "SubReconciler" : type.getSimpleName();
        return of(Description.of(name), reconciler);
    }

    /** Returns a copy with another name. */
    public Part<T> named(String name) {
        return new Part<>(description.named(name), function);
    }

    /** Returns its description. */
    public Description description() {
        return description;
    }

    @Override
    public Outcome reconcile(Reconciliation<T> reconciliation, T resource) {
        return ReconcilerPath.within(description.name(), () -> outcome(reconciliation, resource));
    }

    @SuppressWarnings("ConstantValue") // what users write may return null
    private Outcome outcome(Reconciliation<T> reconciliation, T resource) {
        try {
            Outcome outcome = function.reconcile(reconciliation, resource);
            if (outcome == null) {
                throw new IllegalStateException(
                        description + " at " + ReconcilerPath.text() + " returned null: return Outcome.done()");
            }
            return outcome;
        } catch (RuntimeException e) {
            return Outcome.failed(e);
        }
    }

    @Override
    public Controller<T> declare(Controller<T> controller) {
        return description.in(controller);
    }

    @Override
    public String toString() {
        return description.toString();
    }
}
