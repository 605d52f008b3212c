package dev.evenkeel.testing.convergence;

import static dev.evenkeel.testing.convergence.Gardening.both;
import static dev.evenkeel.testing.convergence.Gardening.living;
import static dev.evenkeel.testing.convergence.Gardening.removeFinalizer;

import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.object.Given;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Published defects that the checker does not find; the page on convergence explains each. */
final class UnseenDefects {
    private UnseenDefects() {}

    static List<Defect> all() {
        return List.of(
                Defect.of(
                        "amygdala-labs/cosmos-operator 110",
                        "stops at the first child that fails, and leaves the others as they are",
                        60,
                        firstFailure()),
                Defect.of(
                        "k8ssandra/cass-operator 117",
                        "sends the same deletion in each reconciliation",
                        60,
                        withoutEffect()),
                Defect.of(
                        "kyma-project/lifecycle-manager 3562",
                        "is called again at once, without back-off, while it waits",
                        5,
                        impatient()),
                Defect.of(
                        "kubernetes/kubernetes 43730",
                        "loses what another worker writes into a shared configuration at the same time",
                        60,
                        unlocked()));
    }

    /**
     * amygdala-labs/cosmos-operator pull request 110: an error of the service ends the reconciliation, and the pods are not
     * reconciled. The run without faults has the same gap, and is what all others are compared with.
     */
    private static Convergence<?> firstFailure() {
        return Gardening.inCluster(living((reconciliation, garden) -> {
                    Gardening.ensureChild(reconciliation, garden, "eden-beds");
                    Gardening.ensureChild(reconciliation, garden, "eden-pods");
                }))
                .foreign(Given.of(WrongReconcilers.foreign()));
    }

    /**
     * k8ssandra/cass-operator issue 117 (similar: infinispan/infinispan-operator 954): requests that change nothing are sent
     * again and again. A write without effect is none.
     */
    private static Convergence<?> withoutEffect() {
        return Gardening.inCluster(living((reconciliation, garden) -> {
            Gardening.ensureChild(reconciliation, garden, "eden-beds");
            Beds.delete(reconciliation, "eden-volume");
        }));
    }

    /**
     * kyma-project/lifecycle-manager pull request 3562: a failing object is reconciled again and again, without delay. Time
     * is virtual, and reconciliations cost nothing.
     */
    private static Convergence<?> impatient() {
        return Gardening.cluster(Convergence.of(() -> Gardening.controller(reconciliation -> {
            Result result = Gardening.child().reconcile(reconciliation);
            return reconciliation.clock().instant().getEpochSecond() % 2 == 0
                    ? result.plus(Result.after(Duration.ofMillis(1)))
                    : result;
        })));
    }

    /**
     * kubernetes/kubernetes issue 43730: two services are added to one load balancer at the same time: both read its
     * configuration, and write it with their own addition. The checker runs one worker.
     */
    private static Convergence<?> unlocked() {
        return Beds.eden(Convergence.outside(clock -> new Farm(), Farm::state)
                        .controller(farm -> Gardening.controller(both(
                                (reconciliation, garden) -> {
                                    Garden held = Gardening.addFinalizer(reconciliation, garden);
                                    Beds.requireWanted(reconciliation, held);
                                    replaceAll(farm, held.name(), true);
                                    if (!Gardening.isWanted(reconciliation, held)) {
                                        replaceAll(farm, held.name(), false);
                                    }
                                },
                                (reconciliation, garden) -> {
                                    replaceAll(farm, garden.name(), false);
                                    removeFinalizer(reconciliation, garden);
                                }))))
                .given(Given.of(Garden.of("rosary", "roses", 1)));
    }

    private static void replaceAll(Farm farm, String field, boolean wanted) {
        Set<String> fields = new TreeSet<>(farm.fields());
        if (wanted ? fields.add(field) : fields.remove(field)) {
            farm.fields().forEach(farm::clear);
            fields.forEach(each -> farm.plant(each, "trees"));
        }
    }
}
