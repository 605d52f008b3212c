package dev.evenkeel.policy;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** Blocks of addresses with labels, for the policies of its namespace and for selectors of namespaces. */
@Group("policy.evenkeel.dev")
@Version("v1")
@Plural("networksets")
public final class NetworkSet extends CustomResource<NetworkSetSpec, Void> implements Namespaced {}
