package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.policy.internal.model.Cidr;

/**
 * A block that addresses of pods are taken from.
 *
 * @param block the block
 * @param host the node of the pods
 */
record Pool(Cidr block, String host) {}
