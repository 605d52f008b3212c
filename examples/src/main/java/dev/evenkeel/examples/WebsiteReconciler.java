package dev.evenkeel.examples;

import static dev.evenkeel.examples.WebsiteStatus.READY;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Maintains a ConfigMap, a Deployment and a Service for each {@link Website}.
 *
 * <p>It applies the whole desired state, server-side, each time: unchanged objects are not written again, manual
 * changes are reverted, and fields added by others are kept. The three have owner references to the website, so that
 * the garbage collector deletes them with it. An object of another owner with one of the names is left alone.
 */
public final class WebsiteReconciler implements Reconciler<Website> {
    private static final WriteOptions WRITE =
            WriteOptions.DEFAULT.fieldManager("website-controller").force(true);

    /** The interval for checking whether a name has become free: no event reports that. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

    /** Returns the controller. */
    public static Controller<Website> controller() {
        return Controller.of(Website.class, new WebsiteReconciler())
                .owns(ConfigMap.class)
                .owns(Deployment.class)
                .owns(Service.class);
    }

    @Override
    public Result reconcile(Reconciliation<Website> reconciliation) {
        Optional<Website> resource = reconciliation.resource();
        if (resource.isEmpty() || resource.get().isMarkedForDeletion()) {
            return Result.done();
        }
        Website site = resource.get();
        List<HasMetadata> children = List.of(configMap(site), deployment(site), service(site));
        Optional<HasMetadata> taken = children.stream()
                .filter(child -> !isFree(reconciliation, site, child))
                .findFirst();
        if (taken.isPresent()) {
            String what = taken.get().getKind() + " \"" + site.getMetadata().getName() + "\"";
            writeStatus(reconciliation, site, false, "NameTaken", what + " is there already, and not this website's");
            return Result.after(LOOK_AGAIN);
        }
        try {
            for (HasMetadata child : children) {
                OwnerReferences.control(site, child);
                reconciliation.client().apply(child, WRITE);
            }
        } catch (ApiException e) {
            String reason = e.reason().isEmpty() ? "Refused" : e.reason();
            try {
                writeStatus(reconciliation, site, false, reason, e.status().message());
            } catch (RuntimeException unsaid) {
                e.addSuppressed(unsaid);
            }
            throw e;
        }
        writeStatus(reconciliation, site, true, "AsWanted", "ConfigMap, Deployment and Service are as wanted");
        return Result.done();
    }

    /**
     * Returns whether a child is the site's, or does not exist: apply would take over any object of its name. Objects
     * with another controller need no check, for the API refuses a second controller.
     */
    private static boolean isFree(Reconciliation<Website> reconciliation, Website site, HasMetadata child) {
        ObjectKey key = ObjectKey.of(child);
        return reconciliation.cache(child.getClass()).find(key).stream().anyMatch(known -> isFree(site, known))
                || reconciliation.client().find(child.getClass(), key).stream().allMatch(known -> isFree(site, known));
    }

    private static boolean isFree(Website site, HasMetadata present) {
        Map<String, String> labels = present.getMetadata().getLabels();
        return OwnerReferences.controllerOf(present).isPresent()
                || (labels != null
                        && labels.entrySet().containsAll(selector(site).entrySet()));
    }

    private static void writeStatus(
            Reconciliation<Website> reconciliation, Website site, boolean ready, String reason, String message) {
        long generation = site.getMetadata().getGeneration();
        List<Condition> before = Optional.ofNullable(site.getStatus())
                .map(WebsiteStatus::conditions)
                .orElse(List.of());
        Condition condition = Conditions.condition(READY, ready, generation, reason, message);
        Website wanted = new Website();
        wanted.setMetadata(new ObjectMetaBuilder()
                .withNamespace(site.getMetadata().getNamespace())
                .withName(site.getMetadata().getName())
                // bound to this object: one recreated under its name is not affected
                .withUid(site.getMetadata().getUid())
                .build());
        Instant now = reconciliation.now();
        wanted.setStatus(
                new WebsiteStatus(generation, site.getSpec().replicas(), Conditions.with(before, condition, now)));
        reconciliation.client().applyStatus(wanted, WRITE);
    }

    private static ConfigMap configMap(Website site) {
        return new ConfigMapBuilder()
                .withMetadata(metadata(site))
                .addToData("index.html", site.getSpec().html())
                .build();
    }

    private static Deployment deployment(Website site) {
        WebsiteSpec spec = site.getSpec();
        return new DeploymentBuilder()
                .withMetadata(metadata(site))
                .withNewSpec()
                .withReplicas(spec.replicas())
                .withNewSelector()
                .withMatchLabels(selector(site))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(selector(site))
                // another page changes the template, so that the servers are restarted
                .addToAnnotations(
                        "examples.evenkeel.dev/page",
                        Integer.toHexString(spec.html().hashCode()))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage(spec.image())
                .addNewPort()
                .withName("http")
                .withContainerPort(80)
                .withProtocol("TCP")
                .endPort()
                .addNewVolumeMount()
                .withName("page")
                .withMountPath("/usr/share/nginx/html")
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("page")
                .withNewConfigMap()
                .withName(site.getMetadata().getName())
                .endConfigMap()
                .endVolume()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static Service service(Website site) {
        return new ServiceBuilder()
                .withMetadata(metadata(site))
                .withNewSpec()
                .withSelector(selector(site))
                .addNewPort()
                .withName("http")
                .withPort(80)
                .withProtocol("TCP")
                .withNewTargetPort("http")
                .endPort()
                .endSpec()
                .build();
    }

    private static ObjectMeta metadata(Website site) {
        return new ObjectMetaBuilder()
                .withNamespace(site.getMetadata().getNamespace())
                .withName(site.getMetadata().getName())
                .withLabels(selector(site))
                .build();
    }

    private static Map<String, String> selector(Website site) {
        return Map.of("examples.evenkeel.dev/website", site.getMetadata().getName());
    }
}
