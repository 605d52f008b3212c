package dev.evenkeel.grpc.internal.resource;

/**
 * The checked scope of a list.
 *
 * @param partition {@code *} for all
 * @param namespace empty for all, and for types that have none
 * @param prefix of the names
 */
public record ListScope(String partition, String namespace, String prefix) {
    /** Stands for all partitions or namespaces. */
    public static final String ALL = "*";

    /** Returns true if the list is about all partitions. */
    public boolean allPartitions() {
        return partition.equals(ALL);
    }
}
