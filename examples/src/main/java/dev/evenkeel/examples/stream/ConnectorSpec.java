package dev.evenkeel.examples.stream;

import org.jspecify.annotations.Nullable;

/**
 * The desired state of a {@link Connector}.
 *
 * @param account name of the {@link Account} that it uses, in the same namespace
 * @param image of the program
 * @param replicas the number of its instances
 * @param configFrom name of a ConfigMap in the same namespace with its settings; null for none
 */
public record ConnectorSpec(
        String account,
        String image,
        int replicas,
        @Nullable String configFrom) {}
