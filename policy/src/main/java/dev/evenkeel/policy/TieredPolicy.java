package dev.evenkeel.policy;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** An ordered policy of a tier, for the pods of its namespace. */
@Group("policy.evenkeel.dev")
@Version("v1")
@Plural("tieredpolicies")
public final class TieredPolicy extends CustomResource<TieredPolicySpec, Void> implements Namespaced {}
