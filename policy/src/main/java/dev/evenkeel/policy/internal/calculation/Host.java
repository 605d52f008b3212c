package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Networks;
import java.util.List;

/**
 * A node.
 *
 * @param networks its name, labels and addresses
 * @param pools the blocks that addresses of its pods are taken from
 */
record Host(Networks networks, List<Cidr> pools) {
    String name() {
        return networks.name();
    }
}
