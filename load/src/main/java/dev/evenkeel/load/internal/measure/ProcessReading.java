package dev.evenkeel.load.internal.measure;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * One reading of a process.
 *
 * @param values the values; one that can't be read is absent, and those of a process that has ended all are
 */
public record ProcessReading(Map<Quantity, Long> values) {
    /** The reading of a process that has ended. */
    public static final ProcessReading EMPTY = new ProcessReading(Map.of());

    /** The quantities of a reading. */
    public enum Quantity {
        /** Bytes of memory in RAM, shared ones counted for each process. */
        RESIDENT,
        /** Bytes of memory in RAM, shared ones divided by the number of processes that share them. */
        PROPORTIONAL,
        /** Nanoseconds of CPU, in user code and in the kernel, with those of threads and children that have ended. */
        CPU,
        /** The number of threads. */
        THREADS,
        /** The number of open file descriptors. */
        DESCRIPTORS,
        /** The number of times that a thread gave its CPU away, to wait. */
        VOLUNTARY_SWITCHES,
        /** The number of times that a thread was taken off its CPU. */
        INVOLUNTARY_SWITCHES,
        /** Bytes returned by system calls such as read, from files, pipes and most sockets. */
        CHARACTERS_READ,
        /** Bytes passed to system calls such as write. */
        CHARACTERS_WRITTEN,
        /** Bytes fetched from storage. */
        BYTES_READ,
        /** Bytes sent to storage. */
        BYTES_WRITTEN;

        /** Returns whether the value counts since the beginning of the process, and so only grows. */
        boolean total() {
            return switch (this) {
                case RESIDENT, PROPORTIONAL, THREADS, DESCRIPTORS -> false;
                default -> true;
            };
        }
    }

    public ProcessReading {
        Map<Quantity, Long> copy = new EnumMap<>(Quantity.class);
        copy.putAll(values);
        values = Collections.unmodifiableMap(copy);
    }

    /** Returns a value; empty if it can't be read. */
    public OptionalLong value(Quantity quantity) {
        Long value = values.get(quantity);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    /** Returns whether nothing was read, as the process has ended. */
    public boolean isEmpty() {
        return values.isEmpty();
    }
}
