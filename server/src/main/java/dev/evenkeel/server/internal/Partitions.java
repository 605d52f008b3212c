package dev.evenkeel.server.internal;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Partition;
import java.util.List;
import java.util.Optional;

/** The partitions that a server serves. */
public interface Partitions {
    /** Returns a partition, creating it if possible; empty when there is none of that name. */
    Optional<Partition> get(String name);

    /** Returns a partition that exists. */
    Optional<Partition> find(String name);

    /** Deletes a partition that exists; returns false when there is none of that name. */
    boolean delete(String name);

    /** Returns the names of the partitions that exist, as far as they are known. */
    List<String> names();

    /** Returns the partitions of an engine. */
    static Partitions of(Engine engine) {
        return new Partitions() {
            @Override
            public Optional<Partition> get(String name) {
                return Engine.isPartitionName(name) ? Optional.of(engine.partition(name)) : Optional.empty();
            }

            @Override
            public Optional<Partition> find(String name) {
                return engine.findPartition(name);
            }

            @Override
            public boolean delete(String name) {
                return engine.deletePartition(name);
            }

            @Override
            public List<String> names() {
                return engine.partitions();
            }
        };
    }
}
