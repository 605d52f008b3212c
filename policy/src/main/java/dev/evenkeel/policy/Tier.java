package dev.evenkeel.policy;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A tier: its policies are evaluated before those of tiers with a higher order. */
@Group("policy.evenkeel.dev")
@Version("v1")
@Plural("tiers")
public final class Tier extends CustomResource<TierSpec, Void> {}
