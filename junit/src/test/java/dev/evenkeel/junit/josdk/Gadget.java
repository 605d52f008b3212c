package dev.evenkeel.junit.josdk;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A second resource, which widgets refer to or own. */
@Group("scenarios.example.com")
@Version("v1")
public class Gadget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {
    static Gadget of(String name, String value) {
        Gadget gadget = new Gadget();
        gadget.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        gadget.setSpec(new Widget.Spec());
        gadget.getSpec().value = value;
        return gadget;
    }
}
