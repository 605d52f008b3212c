package dev.evenkeel.examples;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A page of HTML, served by a number of replicas. */
@Group("examples.evenkeel.dev")
@Version("v1")
@Plural("websites")
public final class Website extends CustomResource<WebsiteSpec, WebsiteStatus> implements Namespaced {}
