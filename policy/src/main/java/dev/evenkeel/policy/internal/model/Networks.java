package dev.evenkeel.policy.internal.model;

import java.util.List;
import java.util.Map;

/**
 * Blocks of addresses with labels: a network set, or a node.
 *
 * @param name the object it comes from
 * @param labels its own labels
 * @param profiles the names of profiles it inherits labels from
 * @param nets the blocks
 */
public record Networks(String name, Map<String, String> labels, List<String> profiles, List<Cidr> nets)
        implements Holder {
    /** Copies the collections. */
    public Networks {
        labels = Map.copyOf(labels);
        profiles = List.copyOf(profiles);
        nets = List.copyOf(nets);
    }
}
