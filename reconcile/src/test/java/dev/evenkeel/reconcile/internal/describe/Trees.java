package dev.evenkeel.reconcile.internal.describe;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Set;

/** A tree of parts that says of itself all that can be said. */
final class Trees {
    static final Kind<ConfigMap> CONFIG_MAPS = Kind.of(ConfigMap.class);
    static final Kind<Deployment> DEPLOYMENTS = Kind.of(Deployment.class);

    private Trees() {}

    private static Part<ConfigMap> part(Part.Description description) {
        return Part.of(description, (reconciliation, resource) -> Result.done());
    }

    static Part.Description tree() {
        Part<ConfigMap> deployment = part(Part.Description.of("ChildReconciler")
                .name("the \"web\" deployment")
                .needs(
                        new Part.Requirement.Owns<>(DEPLOYMENTS),
                        new Part.Requirement.May(DEPLOYMENTS, "", Set.of("update", "create", "delete"))));
        Part<ConfigMap> secrets = part(Part.Description.of("SyncReconciler")
                .needs(
                        new Part.Requirement.Tracks<>(Kind.of(Secret.class)),
                        new Part.Requirement.Reads<>(Kind.of(Namespace.class), List.of()),
                        new Part.Requirement.SetUp<>(CONFIG_MAPS, "a clock", controller -> controller)));
        Part<ConfigMap> sequence = part(Part.Description.of("Sequence")
                .slots(List.of(deployment, secrets, part(Part.Description.of("Nothing")))));
        return Part.Description.of("ResourceReconciler")
                .name("pages")
                .needs(
                        new Part.Requirement.May(CONFIG_MAPS, "", Set.of("watch", "list", "get")),
                        new Part.Requirement.May(CONFIG_MAPS, "status", Set.of("update")))
                .slots("reconciler", sequence);
    }
}
