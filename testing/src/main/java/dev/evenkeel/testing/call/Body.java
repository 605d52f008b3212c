package dev.evenkeel.testing.call;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.Patch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * What a {@link RecordedCall} sends, as it was before the call; nothing changes it.
 *
 * <p>A path into it is written {@code spec.template.metadata.labels}, a key with dots in brackets,
 * {@code metadata.annotations[example.com/owner]}, an element of a list by its number, {@code spec.containers.0.image}.
 */
public sealed interface Body {
    /** Nothing: of reads and deletes. */
    record Nothing() implements Body {}

    /**
     * An object: of create and apply.
     *
     * @param object the object
     */
    record Whole(Encoded object) implements Body {}

    /**
     * An object that replaces another: of update.
     *
     * @param object the object
     * @param present what the server had just before; empty when it had none
     * @param part {@code status} when nothing else of it counts; empty when all of it does
     */
    record Replacement(Encoded object, Optional<Encoded> present, String part) implements Body {}

    /**
     * A patch.
     *
     * @param patch the patch
     */
    record Change(Patch patch) implements Body {}

    /**
     * Replicas: of an update of a scale.
     *
     * @param replicas how many are wanted
     */
    record Scale(int replicas) implements Body {}

    /** As text: JSON, or what the patch is written in. */
    default String text() {
        return switch (this) {
            case Nothing unused -> "";
            case Whole(Encoded object) -> object.toString();
            case Replacement update -> update.object().toString();
            case Change(Patch patch) -> patch.text();
            case Scale(int replicas) -> "{\"spec\":{\"replicas\":" + replicas + "}}";
        };
    }

    /**
     * The object in a class; empty when no whole object is sent.
     *
     * @throws IllegalArgumentException when it does not fit the class; says which field
     */
    default <T extends HasMetadata> Optional<T> object(Class<T> type) {
        return switch (this) {
            case Whole(Encoded object) -> Optional.of(object.decode(type));
            case Replacement update -> Optional.of(update.object().decode(type));
            default -> Optional.empty();
        };
    }

    /**
     * The same with this made of its object; the same when it has no whole object.
     *
     * @throws IllegalArgumentException when it does not fit the class; says which field
     */
    default <T extends HasMetadata> Body with(Class<T> type, UnaryOperator<T> change) {
        return switch (this) {
            case Whole(Encoded object) -> new Whole(changed(object, type, change));
            case Replacement(Encoded object, Optional<Encoded> present, String part) ->
                new Replacement(changed(object, type, change), present, part);
            default -> this;
        };
    }

    private static <T extends HasMetadata> Encoded changed(Encoded object, Class<T> type, UnaryOperator<T> change) {
        return Encoded.of(ModelCodec.encode(change.apply(object.decode(type))));
    }

    /**
     * Bodies that write at this path, above or below it: a patch with an operation there, an update that differs there
     * from what the server has, an object to create or apply that has something there.
     */
    static Predicate<Body> touches(String path) {
        Path wanted = Path.parse(path);
        return new Described<>("touching " + path, body -> Writes.of(body).touch(wanted));
    }

    /**
     * Bodies that write this value at this path.
     *
     * @param value a string, number or boolean, or lists and maps of such
     */
    static Predicate<Body> sets(String path, Object value) {
        Path wanted = Path.parse(path);
        return new Described<>(
                "setting " + path + " to " + value, body -> Writes.of(body).set(wanted, value));
    }

    /** Bodies whose {@link #text} has this in it. */
    static Predicate<Body> contains(String text) {
        return new Described<>(
                "containing \"" + text + "\"", body -> body.text().contains(text));
    }
}
