package dev.evenkeel.protobuf.internal;

import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.util.function.Function;

/**
 * A version of a type.
 *
 * @param <V> class of its data
 * @param <T> class of the data in the storage version
 * @param upgrade converts to the storage version
 * @param downgrade converts from the storage version
 */
public record TypeVersion<V extends Message, T extends Message>(
        V prototype, Function<V, T> upgrade, Function<T, V> downgrade) {
    /**
     * Returns a version that is converted by its binary form: fields with the same number are the same, and what the other
     * version does not have is kept among its unknown fields.
     */
    public static <V extends Message, T extends Message> TypeVersion<V, T> compatible(V prototype, T storage) {
        return new TypeVersion<>(prototype, reader(storage), reader(prototype));
    }

    @SuppressWarnings("unchecked") // the builder of a message builds its class
    private static <F extends Message, M extends Message> Function<F, M> reader(M prototype) {
        return message -> {
            try {
                return (M) prototype
                        .newBuilderForType()
                        .mergeFrom(message.toByteString(), ExtensionRegistry.getEmptyRegistry())
                        .build();
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalArgumentException(
                        message.getDescriptorForType().getFullName() + " is not compatible with "
                                + prototype.getDescriptorForType().getFullName() + ": " + e.getMessage(),
                        e);
            }
        };
    }

    @SuppressWarnings("unchecked") // made by the format of this version
    T up(Message message) {
        return upgrade.apply((V) message);
    }
}
