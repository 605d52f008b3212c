package dev.evenkeel.policy;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A policy of the administrators of a cluster, as the network policy API of Kubernetes defines it. */
@Group("policy.networking.k8s.io")
@Version("v1beta1")
@Plural("clusternetworkpolicies")
public final class ClusterNetworkPolicy extends CustomResource<ClusterNetworkPolicySpec, Void> {}
