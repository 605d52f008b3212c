package dev.evenkeel.junit.josdk;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.ArrayList;
import java.util.List;

/** The resource that most scenarios reconcile. */
@Group("scenarios.example.com")
@Version("v1")
public class Widget extends CustomResource<Widget.Spec, Widget.Status> implements Namespaced {
    /** What a widget should be. */
    public static class Spec {
        public String value;
        public Integer number;
        public Boolean enabled;
        public List<String> refs = new ArrayList<>();
    }

    /** What was seen of a widget. */
    public static class Status {
        public Long observedGeneration;
        public String message;
        public Integer count;
    }

    static Widget of(String name, String value) {
        Widget widget = new Widget();
        widget.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        widget.setSpec(new Spec());
        widget.getSpec().value = value;
        widget.getSpec().number = 1;
        widget.getSpec().enabled = true;
        return widget;
    }

    @Override
    protected Spec initSpec() {
        return new Spec();
    }

    Status status() {
        if (getStatus() == null) {
            setStatus(new Status());
        }
        return getStatus();
    }
}
