package dev.evenkeel.junit.josdk;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A resource without a namespace. */
@Group("scenarios.example.com")
@Version("v1")
public class ClusterWidget extends CustomResource<Widget.Spec, Widget.Status> {
    static ClusterWidget of(String name, String value) {
        ClusterWidget widget = new ClusterWidget();
        widget.setMetadata(new ObjectMetaBuilder().withName(name).build());
        widget.setSpec(new Widget.Spec());
        widget.getSpec().value = value;
        return widget;
    }
}
