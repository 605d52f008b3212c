package dev.evenkeel.policy;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** Blocks of addresses with labels that belong to no namespace. */
@Group("policy.evenkeel.dev")
@Version("v1")
@Plural("clusternetworksets")
public final class ClusterNetworkSet extends CustomResource<NetworkSetSpec, Void> {}
