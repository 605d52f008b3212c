package dev.evenkeel.load;

import dev.evenkeel.load.internal.pattern.ClearAddresses;
import dev.evenkeel.load.internal.pattern.Disturbances;
import dev.evenkeel.load.internal.pattern.DrainNodes;
import dev.evenkeel.load.internal.pattern.PodRing;
import dev.evenkeel.load.internal.pattern.PolicyChurn;
import dev.evenkeel.load.internal.pattern.RecreateNamespaces;
import dev.evenkeel.load.internal.pattern.RollingUpdate;
import dev.evenkeel.load.internal.pattern.RotateLabels;
import dev.evenkeel.load.internal.pattern.Scale;
import dev.evenkeel.load.internal.pattern.TemplateChurn;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Patterns of changes that are usual in clusters. */
public final class Patterns {
    private Patterns() {}

    /** Moves the value of a label of each namespace to the next one, until all are at their first value again. */
    public static Pattern rotateLabels(String label) {
        return new RotateLabels(label);
    }

    /** Replaces pods: creates one, and deletes the oldest, as often as a number says. */
    public static Pattern podRing(int pods) {
        return new PodRing(pods);
    }

    /**
     * Creates NetworkPolicies of 1 to a number of rules with random selectors, and deletes the oldest of more than a
     * number to keep; as many as are kept.
     */
    public static Pattern policyChurn(int keep, int rules) {
        return new PolicyChurn(keep, rules);
    }

    /** Creates pods with these labels in all namespaces, and deletes them. */
    public static Pattern scale(int pods, SortedMap<String, Distribution> labels) {
        return new Scale(pods, labels);
    }

    /** Clears the addresses of running pods, as when their sandboxes are lost; then deletes and replaces them. */
    public static Pattern clearAddresses(int pods) {
        return new ClearAddresses(pods);
    }

    /** Cordons nodes one by one, moves their pods to others, and uncordons them. */
    public static Pattern drainNodes(int nodes) {
        return new DrainNodes(nodes);
    }

    /** Deletes namespaces one by one, and creates them again with as many pods as before. */
    public static Pattern recreateNamespaces(int namespaces) {
        return new RecreateNamespaces(namespaces);
    }

    /** Changes the image of Deployments, and replaces their ReplicaSets and pods as the controllers of a cluster do. */
    public static Pattern rollingUpdate(int deployments, int replicas) {
        return new RollingUpdate(deployments, replicas);
    }

    /**
     * Creates and edits objects of a template, and deletes those of the cycle before; finalizers that the template has are
     * removed after the deletion.
     *
     * @param template the objects; their count is that of each namespace
     * @param edits how often each object is edited
     * @param namespaces the namespaces of the objects; empty for all
     */
    public static Pattern churn(Template template, int edits, List<String> namespaces) {
        return new TemplateChurn(template, edits, namespaces);
    }

    /** Ends all watches of the controller. */
    public static Pattern cutWatches() {
        return Disturbances.cutWatches();
    }

    /** Makes the API unreachable for the controller. */
    public static Pattern outage(Duration duration) {
        return Disturbances.outage(duration);
    }

    /** Makes the same operations in each cycle. */
    public static Pattern operations(List<Operation> operations) {
        List<Operation> copy = List.copyOf(operations);
        return (world, random) -> copy.iterator();
    }

    /** Returns the labels of Felix's test of 10,000 endpoints: a letter by a skewed chance, and numbers. */
    public static SortedMap<String, Distribution> skewedLabels() {
        return new java.util.TreeMap<>(Map.of(
                "letter", Distribution.skewed("letter-", 8, 1),
                "by-1000", Distribution.skewed("n-", 1000, 0),
                "by-100", Distribution.skewed("n-", 100, 1),
                "by-10", Distribution.skewed("n-", 10, 1)));
    }
}
