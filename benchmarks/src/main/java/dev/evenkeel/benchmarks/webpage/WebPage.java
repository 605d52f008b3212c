package dev.evenkeel.benchmarks.webpage;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A page of HTML, served by a number of replicas. */
@Group("example.com")
@Version("v1")
@Plural("webpages")
public final class WebPage extends CustomResource<WebPageSpec, WebPageStatus> implements Namespaced {}
