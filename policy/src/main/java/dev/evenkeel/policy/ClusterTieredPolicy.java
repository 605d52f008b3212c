package dev.evenkeel.policy;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** An ordered policy of a tier, for pods of all namespaces and for interfaces of hosts. */
@Group("policy.evenkeel.dev")
@Version("v1")
@Plural("clustertieredpolicies")
public final class ClusterTieredPolicy extends CustomResource<TieredPolicySpec, Void> {}
