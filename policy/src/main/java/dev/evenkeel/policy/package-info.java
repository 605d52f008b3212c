/**
 * Network policy: the custom resources of tiers, ordered policies, network sets and host endpoints, and the verdict on a
 * connection with the rule that decides it.
 *
 * <p>The CustomResourceDefinitions are in {@code dev/evenkeel/policy/crds.yaml} of this module.
 */
@NullMarked
package dev.evenkeel.policy;

import org.jspecify.annotations.NullMarked;
