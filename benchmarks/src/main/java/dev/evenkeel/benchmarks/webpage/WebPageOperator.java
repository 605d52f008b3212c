package dev.evenkeel.benchmarks.webpage;

import io.javaoperatorsdk.operator.Operator;
import java.time.Duration;

/** The operator. It finds the API as all programs with fabric8's client do: by the environment variable KUBECONFIG. */
public final class WebPageOperator {
    private WebPageOperator() {}

    /** Runs the operator until its process is ended; with an argument, the one that has this defect. */
    public static void main(String[] args) {
        Operator operator = new Operator(options -> options.checkingCRDAndValidateLocalModel(false));
        operator.register(args.length == 0 ? new WebPageReconciler() : new DefectiveWebPageReconciler(args[0]));
        operator.installShutdownHook(Duration.ofSeconds(5));
        operator.start();
    }
}
