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
 * What a part says of itself: a value, from which its watches, its rules of access and its pictures are made, so that no
 * two of them can contradict each other.
 *
 * @param type of the part, such as {@code Sequence}
 * @param name for people: in logs, journals and messages; the type, when it was given none
 * @param needs of the part itself
 * @param slots the parts in it, in the order in which they run
 */
public record Description(String type, String name, List<Requirement> needs, List<Slot> slots) {
    /**
     * A part in another one.
     *
     * @param name what it is there, such as {@code then}; in a row of parts its number
     * @param part itself
     */
    public record Slot(String name, Description part) {}

    /** Copies the lists. */
    public Description {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name: a " + type + " needs one, for people: use named(...)");
        }
        needs = List.copyOf(needs);
        slots = List.copyOf(slots);
    }

    /** A part that needs nothing, named after its type. */
    public static Description of(String type) {
        return new Description(type, type, List.of(), List.of());
    }

    /** The same with another name. */
    public Description named(String value) {
        return new Description(type, value, needs, slots);
    }

    /** The same that needs this, too. */
    public Description needing(Requirement... more) {
        return needing(List.of(more));
    }

    /** The same that needs these, too. */
    public Description needing(List<? extends Requirement> more) {
        return new Description(type, name, appended(needs, more), slots);
    }

    /** The same with one more part in it. */
    public Description with(String slot, Part<?> part) {
        return with(slot, part.description());
    }

    /** The same with one more part in it, of which this is said. */
    public Description with(String slot, Description part) {
        return new Description(type, name, needs, appended(slots, List.of(new Slot(slot, part))));
    }

    /** The same with these parts in it, numbered from 0. */
    public Description with(List<? extends Part<?>> parts) {
        Description all = this;
        for (Part<?> part : parts) {
            all = all.with(Integer.toString(all.slots.size()), part);
        }
        return all;
    }

    /**
     * The same, of which nothing is declared to the controller: what it and all below it would read by watching, they may
     * read, and do on their own; what they set up is not.
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

    /** This and all below it, each before those in it. */
    public Stream<Description> stream() {
        return Stream.concat(Stream.of(this), slots.stream().flatMap(slot -> slot.part().stream()));
    }

    /** What it and all below it need: each once, in the order in which it is said. */
    public Set<Requirement> allNeeds() {
        Set<Requirement> all = new LinkedHashSet<>();
        stream().forEach(part -> all.addAll(part.needs()));
        return all;
    }

    /** The controller with all that is needed. */
    public <T extends HasMetadata> Controller<T> in(Controller<T> controller) {
        Controller<T> all = controller;
        for (Requirement need : allNeeds()) {
            all = need.in(all);
        }
        return all;
    }

    /** Such as {@code Sequence "children"}. */
    @Override
    public String toString() {
        return name.equals(type) ? type : type + " \"" + name + "\"";
    }
}
