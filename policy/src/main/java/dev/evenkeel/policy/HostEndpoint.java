package dev.evenkeel.policy;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** An interface of a node, or all of them, to which policies apply. */
@Group("policy.evenkeel.dev")
@Version("v1")
@Plural("hostendpoints")
public final class HostEndpoint extends CustomResource<HostEndpointSpec, Void> {}
