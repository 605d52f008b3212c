package dev.evenkeel.policy;

import java.util.List;

/**
 * The blocks of a {@link NetworkSet} or a {@link ClusterNetworkSet}, which selectors of rules match by its labels.
 *
 * @param nets blocks of addresses in CIDR notation
 */
public record NetworkSetSpec(List<String> nets) {
    /** Missing blocks default to none. */
    public NetworkSetSpec {
        nets = nets == null ? List.of() : List.copyOf(nets);
    }
}
