package dev.evenkeel.junit;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A resource of tests. */
@Group("example.com")
@Version("v1")
public class Page extends CustomResource<Page.Spec, Page.Status> implements Namespaced {
    /** What a page shows. */
    public static class Spec {
        public String text = "";
    }

    /** What was seen of a page. */
    public static class Status {
        public Long observedGeneration;
    }

    static Page of(String name, String text) {
        Page page = new Page();
        page.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName(name).build());
        page.setSpec(new Spec());
        page.getSpec().text = text;
        return page;
    }
}
