/** The model that network policy is calculated from: endpoints, profiles, policies, tiers, network sets. */
@NullMarked
package dev.evenkeel.policy.internal.model;

import org.jspecify.annotations.NullMarked;
