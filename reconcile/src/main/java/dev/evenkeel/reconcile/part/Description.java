package dev.evenkeel.reconcile.part;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

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
            throw new IllegalArgumentException("name: a " + type + " needs one: use named(...)");
        }
        needs = List.copyOf(needs);
        slots = List.copyOf(slots);
    }

    /** Returns the description of a part without needs, named after its type. */
    public static Description of(String type) {
        return new Description(type, type, List.of(), List.of());
    }

    /** Returns a copy with another name. */
    public Description named(String value) {
        return new Description(type, value, needs, slots);
    }

    /** Returns a copy with more needs. */
    public Description needing(Requirement... more) {
        return needing(List.of(more));
    }

    /** Returns a copy with more needs. */
    public Description needing(List<? extends Requirement> more) {
        return new Description(type, name, appended(needs, more), slots);
    }

    /** Returns a copy with one more part in it. */
    public Description with(String slot, Part<?> part) {
        return with(slot, part.description());
    }

    /** Returns a copy with one more part in it, of this description. */
    public Description with(String slot, Description part) {
        return new Description(type, name, needs, appended(slots, List.of(new Slot(slot, part))));
    }

    /** Returns a copy with these parts in it, numbered from 0. */
    public Description with(List<? extends Part<?>> parts) {
        Description all = this;
        for (Part<?> part : parts) {
            all = all.with(Integer.toString(all.slots.size()), part);
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
            case Requirement.Owns<?>(Kind<?> kind) -> Stream.of(new Requirement.May(kind, "", Requirement.READING));
            case Requirement.Tracks<?>(Kind<?> kind) -> Stream.of(new Requirement.May(kind, "", Requirement.READING));
            case Requirement.Reads<?> reads -> Stream.of(new Requirement.May(reads.kind(), "", Requirement.READING));
        };
    }

    private static <E> List<E> appended(List<E> list, List<? extends E> more) {
        List<E> longer = new ArrayList<>(list);
        longer.addAll(more);
        return longer;
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
