package dev.evenkeel.reconcile.part;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.controller.cache.Index;
import dev.evenkeel.controller.cache.Projection;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.reconcile.internal.Outcomes;
import dev.evenkeel.reconcile.internal.ReconciliationView;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A part of a reconciler: a function, and its description.
 *
 * <p>The problem: a tree of parts must run, and be known before it runs: its triggers, its access rules, its diagram.
 * When each kind of part is a class that does all of that by itself, each may omit something. So there is one class.
 * Factories of parts (a sequence, a child, a condition) supply a function and a {@link Description}; everything common
 * to all parts is here:
 *
 * <ol>
 * <li>A part is complete when it is created: factories refuse missing arguments, by name. It needs no set-up, and may
 *     be used in several places and by several threads.
 * <li>Exceptions of the function are its outcome: {@link Result#failed}. Errors of the virtual machine and of
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
                        : description.needs(new Requirement.SetUp<>(any(), "a set-up of its own", function::declare)),
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
        if (reconciler instanceof Part<T> part) {
            return part;
        }
        Class<?> type = reconciler.getClass();
        String name = type.isSynthetic() || type.getSimpleName().isEmpty() ? "SubReconciler" : type.getSimpleName();
        return of(Description.of(name), reconciler);
    }

    /** Returns reconcilers as parts. */
    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    public static <T extends HasMetadata> List<Part<T>> all(SubReconciler<T>... reconcilers) {
        return Stream.of(reconcilers).map(Part::of).toList();
    }

    /** Returns a copy with another name. */
    public Part<T> name(String name) {
        return new Part<>(description.name(name), function);
    }

    /** Returns its description. */
    public Description description() {
        return description;
    }

    @Override
    public Result reconcile(Reconciliation<T> reconciliation, T resource) {
        Supplier<String> missing =
                () -> description + " at " + ReconcilerPath.text() + " returned null: return Result.done()";
        return ReconcilerPath.within(
                description.name(),
                () -> Outcomes.of(Result.done(), () -> function.reconcile(reconciliation, resource), missing));
    }

    @Override
    public Controller<T> declare(Controller<T> controller) {
        return description.in(controller);
    }

    @Override
    public String toString() {
        return description.toString();
    }

    /**
     * The client and event recorder of a part. Immutable.
     *
     * @param client reads and writes
     * @param events records events
     * @param elsewhere whether the client is of another cluster than the primary object's, which the controller does not
     *     watch
     */
    public record Config(Client client, EventRecorder events, boolean elsewhere) {
        /** Returns the configuration of a reconciliation. */
        public static Config of(Reconciliation<?> reconciliation) {
            return reconciliation instanceof ReconciliationView<? extends HasMetadata> view
                    ? view.config()
                    : new Config(reconciliation.client(), reconciliation.events(), false);
        }

        /** Returns a copy with another client of the same cluster, such as one with less rights. */
        public Config client(Client value) {
            return new Config(value, events, elsewhere);
        }

        /** Returns a copy with the client of another cluster. */
        public Config elsewhere(Client value) {
            return new Config(value, events, true);
        }

        /** Returns a copy with another recorder of events. */
        public Config events(EventRecorder value) {
            return new Config(client, value, elsewhere);
        }
    }

    /**
     * The description of a part: a value, from which its watches, its access rules and its diagrams are derived, so that no
     * two of them can contradict each other.
     *
     * @param type of the part, such as {@code Sequence}
     * @param name name in logs, journals and messages; defaults to the type
     * @param needs of the part itself
     * @param slots the parts in it, in the order in which they run
     */
    public record Description(String type, String name, List<Requirement> needs, List<Slot> slots) {
        /**
         * A part in another one.
         *
         * @param name its role there, such as {@code then}; in a list of parts its number
         * @param part itself
         */
        public record Slot(String name, Description part) {}

        /** Copies the lists. */
        public Description {
            if (name.isBlank()) {
                throw new IllegalArgumentException("name: a " + type + " needs one: use name(...)");
            }
            needs = List.copyOf(needs);
            slots = List.copyOf(slots);
        }

        /** Returns the description of a part without needs, named after its type. */
        public static Description of(String type) {
            return new Description(type, type, List.of(), List.of());
        }

        /** Returns a copy with another name. */
        public Description name(String value) {
            return new Description(type, value, needs, slots);
        }

        /** Returns a copy with more needs. */
        public Description needs(Requirement... more) {
            return needs(List.of(more));
        }

        /** Returns a copy with more needs. */
        public Description needs(List<? extends Requirement> more) {
            return new Description(type, name, appended(needs, more), slots);
        }

        /** Returns a copy with one more part in it. */
        public Description slots(String slot, Part<?> part) {
            return slots(slot, part.description());
        }

        /** Returns a copy with one more part in it, of this description. */
        public Description slots(String slot, Description part) {
            return new Description(type, name, needs, appended(slots, List.of(new Slot(slot, part))));
        }

        /** Returns a copy with these parts in it, numbered from 0. */
        public Description slots(List<? extends Part<?>> parts) {
            Description all = this;
            for (Part<?> part : parts) {
                all = all.slots(Integer.toString(all.slots.size()), part);
            }
            return all;
        }

        /**
         * Returns a copy of which nothing is declared to the controller: objects that it and all below it would have
         * watched may still be read, as access rules of their own; set-ups are dropped.
         */
        public Description undeclared() {
            return new Description(
                    type,
                    name,
                    needs.stream().flatMap(Description::allowed).toList(),
                    slots.stream()
                            .map(slot -> new Slot(slot.name(), slot.part().undeclared()))
                            .toList());
        }

        private static Stream<Requirement> allowed(Requirement need) {
            return switch (need) {
                case Requirement.May may -> Stream.of(may);
                case Requirement.SetUp<?> unused -> Stream.empty();
                default -> Stream.of(new Requirement.May(need.kind(), "", Requirement.READING));
            };
        }

        private static <E> List<E> appended(List<E> list, List<? extends E> more) {
            return Stream.<E>concat(list.stream(), more.stream()).toList();
        }

        /** Returns this and all below it, parents first. */
        public Stream<Description> stream() {
            return Stream.concat(Stream.of(this), slots.stream().flatMap(slot -> slot.part().stream()));
        }

        /** Returns the needs of this and all below it: each once, in the order declared. */
        public Set<Requirement> allNeeds() {
            Set<Requirement> all = new LinkedHashSet<>();
            stream().forEach(part -> all.addAll(part.needs()));
            return all;
        }

        /** Returns the controller with all needs. */
        public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
            Controller<T> all = controller;
            for (Requirement need : allNeeds()) {
                all = need.in(all);
            }
            return all;
        }

        /** Returns a text such as {@code Sequence "children"}. */
        @Override
        public String toString() {
            return name.equals(type) ? type : type + " \"" + name + "\"";
        }
    }

    /**
     * A need of a part: of the controller that runs it, or of the API server. Two parts may have the same; the controller
     * gets it once.
     */
    public sealed interface Requirement {
        /** The verbs of access rules for reading. */
        Set<String> READING = Set.of("get", "list", "watch");

        /** Returns the kind that the access rules are for. */
        Kind<?> kind();

        /** Returns the subresource: {@code status}, {@code finalizers}; empty for the objects. */
        default String subresource() {
            return "";
        }

        /** Returns the verbs of access rules; default: those for reading. */
        default Set<String> verbs() {
            return READING;
        }

        /** Returns the controller with this need; default: the same. */
        default <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
            return controller;
        }

        /**
         * Triggers by objects of this kind that the primary object controls, which can be looked up by their controller.
         *
         * @param kind of the owned objects
         */
        record Owns<W extends HasMetadata>(Kind<W> kind) implements Requirement {
            @Override
            public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
                Controller<T> owning =
                        controller.kinds(Relation.OWNS).contains(kind) ? controller : controller.owns(kind);
                return new Reads<>(kind, List.of(Index.controller())).in(owning);
            }
        }

        /**
         * Triggers by objects of this kind that reconciliations track.
         *
         * @param kind of the tracked objects
         */
        record Tracks<W extends HasMetadata>(Kind<W> kind) implements Requirement {
            @Override
            public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
                return controller.tracks(kind);
            }
        }

        /**
         * Reads of objects of this kind from a cache, without triggers.
         *
         * @param kind of the objects
         * @param indexes their indexes
         */
        record Reads<W extends HasMetadata>(Kind<W> kind, List<Index<W, ?>> indexes) implements Requirement {
            /** Copies the list. */
            public Reads {
                indexes = List.copyOf(indexes);
            }

            @Override
            public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
                return controller.reads(kind, ListOptions.ALL, Projection.withoutManagedFields(), indexes);
            }
        }

        /**
         * An access right, such as {@code create}.
         *
         * @param kind of the objects
         * @param subresource such as {@code status}; empty for the objects
         * @param verbs in lower case, as access rules have them
         */
        record May(Kind<?> kind, String subresource, Set<String> verbs) implements Requirement {
            /** Copies the set. */
            public May {
                verbs = Set.copyOf(new TreeSet<>(verbs));
            }
        }

        /**
         * Any other configuration of a controller: a source, a mapper. Below a part that changes the class of the primary
         * objects, mappers still see them in their own class.
         *
         * @param kind kind of the primary objects
         * @param name name in descriptions
         * @param change returns the controller with it
         */
        record SetUp<P extends HasMetadata>(Kind<P> kind, String name, UnaryOperator<Controller<P>> change)
                implements Requirement {
            @Override
            public Set<String> verbs() {
                return Set.of();
            }

            @Override
            @SuppressWarnings(
                    "unchecked") // the part is in a tree for these primary objects, perhaps seen in another class
            public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
                return (Controller<T>) change.apply((Controller<P>) controller);
            }
        }
    }
}
