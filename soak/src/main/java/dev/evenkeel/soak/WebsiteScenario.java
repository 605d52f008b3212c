package dev.evenkeel.soak;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.examples.Website;
import dev.evenkeel.examples.WebsiteReconciler;
import dev.evenkeel.examples.WebsiteSpec;
import dev.evenkeel.examples.WebsiteStatus;
import dev.evenkeel.simulation.Simulation;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;

/** Creates, changes and deletes websites; another client modifies the objects that they own. */
final class WebsiteScenario extends ExampleScenario {
    private static final List<Class<? extends HasMetadata>> OWNED =
            List.of(ConfigMap.class, Deployment.class, Service.class);

    WebsiteScenario(List<GenericKubernetesResource> types) {
        super(types);
    }

    @Override
    public String name() {
        return "website";
    }

    @Override
    World world(Simulation simulation) {
        return new World(simulation);
    }

    @Override
    List<Controller<?>> controllers(World world) {
        return List.of(WebsiteReconciler.controller());
    }

    @Override
    List<Child> owned(Kind<?> primary, ObjectKey key) {
        return List.of(
                new Child(Kind.of(ConfigMap.class), key),
                new Child(Kind.of(Deployment.class), key),
                new Child(Kind.of(Service.class), key));
    }

    @Override
    void change(World world) {
        ObjectKey key = ObjectKey.of("default", "site-" + world.below(3));
        Optional<Website> present = world.server().find(Website.class, key);
        WebsiteSpec spec = new WebsiteSpec("page " + world.below(100), world.below(5), "nginx:1.29");
        if (present.isEmpty()) {
            Website site = new Website();
            site.getMetadata().setNamespace(key.namespace());
            site.getMetadata().setName(key.name());
            site.setSpec(spec);
            world.server().create(site);
            return;
        }
        switch (world.below(5)) {
            case 0 -> world.server().delete(present.get());
            case 1 -> meddle(world, key);
            default -> {
                present.get().setSpec(spec);
                world.server().update(present.get());
            }
        }
    }

    private static void meddle(World world, ObjectKey key) {
        Optional<Deployment> deployment = world.server().find(Deployment.class, key);
        if (deployment.isPresent()) {
            deployment.get().getSpec().setReplicas(77);
            world.server().update(deployment.get());
        }
        world.server()
                .find(Service.class, key)
                .ifPresent(service -> world.server().delete(service));
    }

    @Override
    boolean converged(World world) {
        List<Website> sites =
                world.server().list(Website.class, ListOptions.in("default")).items();
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
            boolean same = world.server().get(Deployment.class, key).getSpec().getReplicas()
                            == site.getSpec().replicas()
                    && site.getSpec()
                            .html()
                            .equals(world.server()
                                    .get(ConfigMap.class, key)
                                    .getData()
                                    .get("index.html"));
            if (!same) {
                return false;
            }
        }
        // the objects of deleted websites are deleted
        return world.server()
                        .list(Deployment.class, ListOptions.in("default"))
                        .items()
                        .size()
                == sites.size();
    }
}
