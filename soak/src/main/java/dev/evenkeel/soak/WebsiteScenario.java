package dev.evenkeel.soak;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.examples.Website;
import dev.evenkeel.examples.WebsiteReconciler;
import dev.evenkeel.examples.WebsiteSpec;
import dev.evenkeel.examples.WebsiteStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates, changes and deletes websites; another client modifies the objects that they own. */
final class WebsiteScenario extends ExampleScenario {
    private static final List<Class<? extends HasMetadata>> OWNED =
            List.of(ConfigMap.class, Deployment.class, Service.class);

    WebsiteScenario(List<GenericKubernetesResource> types) {
        super("website", types);
    }

    @Override
    List<Controller<?>> controllers(World world) {
        return List.of(WebsiteReconciler.controller());
    }

    @Override
    List<Child> owned(Kind<?> primary, ObjectKey key) {
        return OWNED.stream().map(type -> new Child(Kind.of(type), key)).toList();
    }

    @Override
    void change(World world) {
        ObjectKey key = key("site-" + world.below(3));
        Optional<Website> present = world.server().find(Website.class, key);
        WebsiteSpec spec = new WebsiteSpec("page " + world.below(100), world.below(5), "nginx:1.29");
        if (present.isEmpty()) {
            world.create(new Website(), key.name(), spec, Map.of());
            return;
        }
        switch (world.below(5)) {
            case 0 -> world.server().delete(present.get());
            case 1 -> meddle(world, key);
            default -> world.update(present.get(), spec);
        }
    }

    private static void meddle(World world, ObjectKey key) {
        world.server().find(Deployment.class, key).ifPresent(deployment -> {
            deployment.getSpec().setReplicas(77);
            world.server().update(deployment);
        });
        world.server()
                .find(Service.class, key)
                .ifPresent(service -> world.server().delete(service));
    }

    @Override
    boolean converged(World world) {
        List<Website> sites = world.all(Website.class);
        for (Website site : sites) {
            ObjectKey key = ObjectKey.of(site);
            WebsiteStatus status = site.getStatus();
            if (status == null
                    || status.observedGeneration() != site.getMetadata().getGeneration()
                    || !Conditions.isTrue(status.conditions(), WebsiteStatus.READY)) {
                return false;
            }
            for (Class<? extends HasMetadata> type : OWNED) {
                Optional<? extends HasMetadata> owned = world.server().find(type, key);
                if (owned.isEmpty() || !OwnerReferences.isControlledBy(owned.get(), site)) {
                    return false;
                }
            }
            WebsiteSpec spec = site.getSpec();
            int replicas = world.server().get(Deployment.class, key).getSpec().getReplicas();
            Map<String, String> data = world.server().get(ConfigMap.class, key).getData();
            if (replicas != spec.replicas() || !spec.html().equals(data.get("index.html"))) {
                return false;
            }
        }
        // the objects of deleted websites are deleted
        return world.all(Deployment.class).size() == sites.size();
    }
}
