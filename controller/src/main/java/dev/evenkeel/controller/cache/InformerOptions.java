package dev.evenkeel.controller.cache;

import java.time.Duration;

/**
 * How an {@link Informer} works.
 *
 * @param projection which fields are kept
 * @param reflector how lists and watches are made
 * @param ownWriteWait how long a write that was answered may be held up for the cache to know it, when the answer alone
 *     does not do: its version is no number and cannot be compared, so the watch has to tell it; or the object has to be
 *     read once more, and cannot be. After that the write returns although the cache may be older: it fails open
 */
public record InformerOptions(Projection projection, ReflectorOptions reflector, Duration ownWriteWait) {
    /** All but managed fields; {@link ReflectorOptions#DEFAULT}; one second. */
    public static final InformerOptions DEFAULT =
            new InformerOptions(Projection.withoutManagedFields(), ReflectorOptions.DEFAULT, Duration.ofSeconds(1));

    /** The same with this projection. */
    public InformerOptions withProjection(Projection value) {
        return new InformerOptions(value, reflector, ownWriteWait);
    }

    /** The same with these lists and watches. */
    public InformerOptions withReflector(ReflectorOptions value) {
        return new InformerOptions(projection, value, ownWriteWait);
    }

    /** The same with this wait. */
    public InformerOptions withOwnWriteWait(Duration value) {
        return new InformerOptions(projection, reflector, value);
    }
}
