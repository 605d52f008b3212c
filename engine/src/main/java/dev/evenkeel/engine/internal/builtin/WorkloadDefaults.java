package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults of the kinds that make pods from a template. */
final class WorkloadDefaults {
    private WorkloadDefaults() {}

    static void deployment(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = templated(tree);
        Trees.fill(spec, "replicas", 1L);
        Map<String, @Nullable Object> strategy = Trees.grow(spec, "strategy");
        Trees.fillText(strategy, "type", "RollingUpdate");
        if (Json.string(strategy, "type").equals("RollingUpdate")) {
            Map<String, @Nullable Object> rolling = Trees.grow(strategy, "rollingUpdate");
            Trees.fill(rolling, "maxUnavailable", "25%");
            Trees.fill(rolling, "maxSurge", "25%");
        }
        Trees.fill(spec, "revisionHistoryLimit", 10L);
        Trees.fill(spec, "progressDeadlineSeconds", 600L);
    }

    static void replicaSet(Map<String, @Nullable Object> tree) {
        Trees.fill(templated(tree), "replicas", 1L);
    }

    static void replicationController(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = templated(tree);
        Trees.fill(spec, "replicas", 1L);
        Map<String, @Nullable Object> labels = Trees.object(spec, "template", "metadata", "labels");
        if (!labels.isEmpty()) {
            Trees.fill(spec, "selector", Json.copyObject(labels));
            Trees.fill(Trees.grow(tree, "metadata"), "labels", Json.copyObject(labels));
        }
    }

    static void statefulSet(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = templated(tree);
        Trees.fillText(spec, "podManagementPolicy", "OrderedReady");
        Map<String, @Nullable Object> update = Trees.grow(spec, "updateStrategy");
        Trees.fillText(update, "type", "RollingUpdate");
        if (Json.string(update, "type").equals("RollingUpdate")) {
            Trees.fill(Trees.grow(update, "rollingUpdate"), "partition", 0L);
        }
        Map<String, @Nullable Object> retention = Trees.grow(spec, "persistentVolumeClaimRetentionPolicy");
        Trees.fillText(retention, "whenDeleted", "Retain");
        Trees.fillText(retention, "whenScaled", "Retain");
        Trees.fill(spec, "replicas", 1L);
        Trees.fill(spec, "revisionHistoryLimit", 10L);
        Trees.each(
                spec,
                claim -> {
                    Trees.fillText(claim, "kind", "PersistentVolumeClaim");
                    Trees.fillText(claim, "apiVersion", "v1");
                    Trees.with(claim, inner -> Trees.fillText(inner, "volumeMode", "Filesystem"), "spec");
                    Trees.fillText(Trees.grow(claim, "status"), "phase", "Pending");
                },
                "volumeClaimTemplates");
    }

    static void daemonSet(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = templated(tree);
        Map<String, @Nullable Object> update = Trees.grow(spec, "updateStrategy");
        Trees.fillText(update, "type", "RollingUpdate");
        if (Json.string(update, "type").equals("RollingUpdate")) {
            Map<String, @Nullable Object> rolling = Trees.grow(update, "rollingUpdate");
            Trees.fill(rolling, "maxUnavailable", 1L);
            Trees.fill(rolling, "maxSurge", 0L);
        }
        Trees.fill(spec, "revisionHistoryLimit", 10L);
    }

    static void job(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = templated(tree);
        if (!Trees.has(spec, "completions") && !Trees.has(spec, "parallelism")) {
            spec.put("completions", 1L);
        }
        Trees.fill(spec, "parallelism", 1L);
        Trees.fill(spec, "backoffLimit", Trees.has(spec, "backoffLimitPerIndex") ? (long) Integer.MAX_VALUE : 6L);
        Trees.fill(spec, "completionMode", "NonIndexed");
        Trees.fill(spec, "suspend", false);
        Trees.fill(spec, "manualSelector", false);
        boolean failurePolicy = Trees.has(spec, "podFailurePolicy");
        Trees.fill(spec, "podReplacementPolicy", failurePolicy ? "Failed" : "TerminatingOrFailed");
        Trees.each(
                spec,
                rule -> Trees.each(rule, pattern -> Trees.fillText(pattern, "status", "True"), "onPodConditions"),
                "podFailurePolicy",
                "rules");
        labelsFromTemplate(tree);
    }

    /** A job without labels has those of its template. */
    static void labelsFromTemplate(Map<String, @Nullable Object> job) {
        Map<String, @Nullable Object> labels = Trees.object(job, "spec", "template", "metadata", "labels");
        if (!labels.isEmpty() && Trees.object(job, "metadata", "labels").isEmpty()) {
            Trees.grow(job, "metadata").put("labels", Json.copyObject(labels));
        }
    }

    static void cronJob(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fillText(spec, "concurrencyPolicy", "Allow");
        Trees.fill(spec, "suspend", false);
        Trees.fill(spec, "successfulJobsHistoryLimit", 3L);
        Trees.fill(spec, "failedJobsHistoryLimit", 1L);
        Trees.with(spec, PodDefaults::template, "jobTemplate", "spec", "template");
    }

    private static Map<String, @Nullable Object> templated(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.with(spec, PodDefaults::template, "template");
        return spec;
    }
}
