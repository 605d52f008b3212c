package dev.evenkeel.reconcile.internal.describe;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.reconcile.part.Description;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.reconcile.part.Requirement;
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

    private static Part<ConfigMap> part(Description description) {
        return Part.of(description, (reconciliation, resource) -> Outcome.done());
    }

    static Description tree() {
        Part<ConfigMap> deployment = part(Description.of("ChildReconciler")
                .named("the \"web\" deployment")
                .needing(
                        new Requirement.Owns<>(DEPLOYMENTS),
                        new Requirement.May(DEPLOYMENTS, "", Set.of("update", "create", "delete"))));
        Part<ConfigMap> secrets = part(Description.of("SyncReconciler")
                .needing(
                        new Requirement.Tracks<>(Kind.of(Secret.class)),
                        new Requirement.Reads<>(Kind.of(Namespace.class), List.of()),
                        new Requirement.SetUp<>(CONFIG_MAPS, "a clock", controller -> controller)));
        Part<ConfigMap> sequence =
                part(Description.of("Sequence").with(List.of(deployment, secrets, part(Description.of("Nothing")))));
        return Description.of("ResourceReconciler")
                .named("pages")
                .needing(
                        new Requirement.May(CONFIG_MAPS, "", Set.of("watch", "list", "get")),
                        new Requirement.May(CONFIG_MAPS, "status", Set.of("update")))
                .with("reconciler", sequence);
    }
}
