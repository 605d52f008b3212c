package dev.evenkeel.examples.stream;

import io.fabric8.kubernetes.api.model.LabelSelector;

/**
 * The desired state of a {@link Mirror}.
 *
 * @param from name of the {@link Broker} whose topics are copied, in the same namespace
 * @param to name of the broker that gets the copies, likewise
 * @param topics selects the topics by their labels
 */
public record MirrorSpec(String from, String to, LabelSelector topics) {}
