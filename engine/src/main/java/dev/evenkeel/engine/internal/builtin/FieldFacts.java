package dev.evenkeel.engine.internal.builtin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One field of a built-in type.
 *
 * @param name its JSON name
 * @param value the form of its values
 * @param required whether OpenAPI calls it required
 * @param pointer whether unset differs from zero
 * @param emitted whether JSON shows it even when it is unset, as {@code zero}
 * @param zero the JSON of an unset field that is emitted; an empty map stands for the struct with its own zeros
 * @param defaulted whether OpenAPI shows a default
 * @param defaultValue that default
 * @param listType atomic, set or map; empty when unspecified
 * @param listKeys the keys of a list map
 * @param mapType atomic or granular; empty when unspecified
 * @param patchStrategy of strategic merge; empty when none
 * @param patchMergeKey of strategic merge; empty when none
 * @param path protobuf field numbers, outermost message first, 0 where a message has none; empty when the field is not
 *     encoded in protobuf
 * @param protobuf protobuf type; empty when it follows from {@code value}
 */
record FieldFacts(
        String name,
        ValueFacts value,
        boolean required,
        boolean pointer,
        boolean emitted,
        @Nullable Object zero,
        boolean defaulted,
        @Nullable Object defaultValue,
        String listType,
        List<String> listKeys,
        String mapType,
        String patchStrategy,
        String patchMergeKey,
        List<Integer> path,
        String protobuf) {}
