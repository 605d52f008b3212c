package dev.evenkeel.server.internal;

import dev.evenkeel.engine.Partition;
import java.util.List;
import java.util.Optional;

/** The partitions that a server serves. */
public interface Partitions {
    /** Returns a partition, creating it if possible; empty when there is none of that name. */
    Optional<Partition> get(String name);

    /** Returns a partition that exists. */
    Optional<Partition> find(String name);

    /** Returns the names of the partitions that exist, as far as they are known. */
    List<String> names();
}
