package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Conditions;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Evicts pods: {@code pods/eviction}. A pod that is covered by a disruption budget is deleted only when the budget allows
 * it; the budget then counts the pod, with a write that fails when another eviction was faster.
 */
record EvictionVerb(Verbs verbs) {
    private static final int MOST_DISRUPTED = 2000;
    private static final String REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";

    /** Refuses an eviction whose own dry run is not that of the request: one of them may be missing. */
    static void checkDryRun(JsonObject eviction, WriteOptions options) {
        List<String> own = eviction.object("deleteOptions").strings("dryRun");
        if (options.dryRun() && !own.isEmpty() && !own.equals(List.of("All"))) {
            throw Refusal.internal(
                    "Non-matching dry-run options in request and content: [All] and [" + String.join(" ", own) + "]");
        }
    }

    /**
     * Evicts a pod. The condition and the delete have the target of the eviction, so that policies and webhooks, which
     * have admitted the eviction, are not asked again.
     *
     * @param target the subresource of the pod
     */
    void evict(Target target, JsonObject eviction, WriteOptions options) {
        Target pod = Target.of(target.type(), target.version(), target.namespace(), target.name());
        JsonObject wanted = eviction.object("deleteOptions");
        boolean dryRun = options.dryRun() || !wanted.array("dryRun").isEmpty();
        JsonObject tree = tree(pod);
        if (!leaves(tree)) {
            charge(pod, tree, options.withDryRun(dryRun));
        }
        DeleteOptions deletion = new DeleteOptions(
                policy(wanted.string("propagationPolicy")),
                Optional.empty(),
                wanted.at("gracePeriodSeconds") instanceof Long seconds
                        ? OptionalLong.of(seconds)
                        : OptionalLong.empty(),
                given(wanted, "uid"),
                given(wanted, "resourceVersion"),
                dryRun,
                options.fence());
        DeleteOptions last = dryRun ? deletion : announce(target, deletion, options);
        verbs.deleting().delete(target, last, options.requester());
    }

    /**
     * Adds a condition to a pod that will be deleted, for those who see it while it ends, or its last state.
     *
     * @return the options of the delete, which expects the version of the pod with the condition
     */
    private DeleteOptions announce(Target pod, DeleteOptions deletion, WriteOptions options) {
        JsonObject metadata = tree(pod).object("metadata");
        if (deletion.uid().filter(uid -> !uid.equals(metadata.string("uid"))).isPresent()
                || deletion.resourceVersion()
                        .filter(version -> !version.equals(metadata.string("resourceVersion")))
                        .isPresent()) {
            return deletion; // which will be refused
        }
        verbs.updating().change(pod, own(options), live -> {
            JsonObject tree = UpdateVerb.present(live, pod);
            setDisruptionTarget(tree.withObject("status"));
            return Write.Wanted.owned(tree, List.of());
        });
        return deletion.resourceVersion().isEmpty()
                ? deletion
                : deletion.withResourceVersion(tree(pod).string("metadata", "resourceVersion"));
    }

    private void setDisruptionTarget(JsonObject status) {
        String type = "DisruptionTarget";
        JsonObject condition = JsonObject.of("type", type, "status", "True")
                .set("lastProbeTime", null)
                .set("lastTransitionTime", verbs.cluster().now())
                .set("reason", "EvictionByEvictionAPI")
                .set("message", "Eviction API: evicting");
        Object present = Conditions.find(status, type);
        if (Json.string(present, "status").equals("True")) {
            condition.put("lastTransitionTime", Json.at(present, "lastTransitionTime"));
        }
        Conditions.put(status, condition);
    }

    private static Optional<DeleteOptions.Propagation> policy(String policy) {
        return switch (policy) {
            case "Orphan" -> Optional.of(DeleteOptions.Propagation.ORPHAN);
            case "Background" -> Optional.of(DeleteOptions.Propagation.BACKGROUND);
            case "Foreground" -> Optional.of(DeleteOptions.Propagation.FOREGROUND);
            default -> Optional.empty();
        };
    }

    private static Optional<String> given(JsonObject options, String precondition) {
        return Optional.of(options.string("preconditions", precondition)).filter(text -> !text.isEmpty());
    }

    private JsonObject tree(Target target) {
        Store.Entry entry = verbs.cluster().require(target);
        return verbs.cluster().tree(entry, target);
    }

    /** Returns whether a pod is over, not begun, or going anyway: budgets do not protect it. */
    private static boolean leaves(JsonObject pod) {
        return List.of("Succeeded", "Failed", "Pending").contains(pod.string("status", "phase"))
                || pod.has("metadata", "deletionTimestamp");
    }

    private void charge(Target pod, JsonObject tree, WriteOptions options) {
        List<Target> budgets = budgets(pod, tree.object("metadata", "labels"));
        if (budgets.size() > 1) {
            throw Refusal.internal("This pod has more than one PodDisruptionBudget, which the eviction subresource does"
                    + " not support.");
        }
        for (Target budget : budgets) {
            JsonObject found = tree(budget);
            if (isReady(tree) || !sparesUnready(found)) {
                check(found);
                JsonObject after = charged(found, pod.name());
                if (!options.dryRun()) {
                    verbs.updating().edit(status(budget), own(options), live -> live.put("status", after));
                }
            }
        }
    }

    /** Returns the options of the server's own write. */
    private static WriteOptions own(WriteOptions options) {
        return WriteOptions.of("kube-apiserver").withFence(options.fence());
    }

    private static Target status(Target budget) {
        return new Target(budget.type(), budget.version(), budget.namespace(), budget.name(), "status");
    }

    private List<Target> budgets(Target pod, JsonObject labels) {
        List<Target> found = new ArrayList<>();
        Optional<ResourceType> type = verbs.cluster().types().get().type("poddisruptionbudgets.policy");
        type.ifPresent(budgets -> verbs.cluster().each(verbs.cluster().collection(budgets), pod.namespace(), entry -> {
            Target target = Target.of(
                    budgets,
                    budgets.storageVersion(),
                    entry.key().namespace(),
                    entry.key().name());
            JsonObject spec = verbs.cluster().tree(entry, target).object("spec");
            if (spec.has("selector") && Selectors.matches(spec.object("selector"), labels)) {
                found.add(target);
            }
        }));
        return found;
    }

    private static boolean isReady(JsonObject pod) {
        return condition(pod, "Ready") instanceof JsonObject ready
                && ready.string("status").equals("True");
    }

    private static @Nullable Object condition(JsonObject tree, String type) {
        return tree.array("status", "conditions").stream()
                .filter(each -> Json.string(each, "type").equals(type))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the budget lets pods go that are not ready. */
    private static boolean sparesUnready(JsonObject budget) {
        return budget.string("spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                || (budget.integer("status", "currentHealthy") >= budget.integer("status", "desiredHealthy")
                        && budget.integer("status", "desiredHealthy") > 0);
    }

    private static void check(JsonObject budget) {
        String name = budget.string("metadata", "name");
        JsonObject status = budget.object("status");
        if (status.integer("observedGeneration") < budget.integer("metadata", "generation")) {
            throw refused("The disruption budget " + name + " is still being processed by the server.", 10);
        }
        if (status.integer("disruptionsAllowed") < 0) {
            throw forbidden(name, "pdb disruptions allowed is negative");
        }
        if (status.object("disruptedPods").size() > MOST_DISRUPTED) {
            throw forbidden(name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
        }
        if (status.integer("disruptionsAllowed") == 0) {
            boolean failed = condition(budget, "DisruptionAllowed") instanceof JsonObject allowed
                    && allowed.string("reason").equals("SyncFailed");
            throw refused(
                    failed
                            ? "The disruption budget " + name
                                    + " does not allow evicting pods currently because it failed" + " sync: "
                                    + Json.string(condition(budget, "DisruptionAllowed"), "message")
                            : "The disruption budget " + name + " needs " + status.integer("desiredHealthy")
                                    + " healthy pods and has " + status.integer("currentHealthy") + " currently",
                    0);
        }
    }

    private JsonObject charged(JsonObject budget, String pod) {
        JsonObject status = budget.object("status").copy();
        long left = status.integer("disruptionsAllowed") - 1;
        status.put("disruptionsAllowed", left);
        if (left == 0) {
            List<@Nullable Object> conditions = new ArrayList<>(status.array("conditions"));
            conditions.removeIf(each -> Json.string(each, "type").equals("DisruptionAllowed"));
            conditions.add(JsonObject.of(
                    "type", "DisruptionAllowed",
                    "status", "False",
                    "observedGeneration", status.integer("observedGeneration"),
                    "lastTransitionTime", verbs.cluster().now(),
                    "reason", "InsufficientPods",
                    "message", ""));
            status.put("conditions", conditions);
        }
        status.withObject("disruptedPods").put(pod, verbs.cluster().now());
        return status;
    }

    private static ApiException refused(String why, int retryAfterSeconds) {
        Status.Details details = Status.Details.EMPTY
                .causes(List.of(new Status.Cause("DisruptionBudget", why, "")))
                .retryAfterSeconds(retryAfterSeconds);
        return ApiException.of(Status.of(429, "TooManyRequests", REFUSED, details));
    }

    private static ApiException forbidden(String budget, String why) {
        return ApiException.of(Status.of(
                403,
                "Forbidden",
                "poddisruptionbudget.policy \"" + budget + "\" is forbidden: " + why,
                Status.Details.of(budget, "policy", "poddisruptionbudget")));
    }
}
