package dev.evenkeel.cli;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.server.Server;
import java.util.Optional;

/** Doors of an engine. */
final class Doors {
    private Doors() {}

    /** A door to all partitions; one is made when it is first asked for. */
    static Server.Builder of(Engine engine) {
        return Server.builder(name -> {
            try {
                return Optional.of(engine.partition(name));
            } catch (IllegalArgumentException e) {
                // no name of a partition
                return Optional.empty();
            }
        });
    }
}
