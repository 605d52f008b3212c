package dev.evenkeel.server.internal;

import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.RequestMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * {@code /healthz}, {@code /livez} and {@code /readyz}: a server that can answer is healthy. It is ready if its store can
 * be used, too: the check {@code etcd}, upstream's name for it, whatever the store.
 *
 * <p>Upstream's checks of what it does after its start are passed from the beginning: a server does not listen before its
 * partition is complete. Checks that have no equivalent here are not listed.
 */
final class Health {
    private static final List<String> PATHS = List.of("healthz", "livez", "readyz");
    private static final List<String> EVERYWHERE = List.of("ping", "log", "etcd");
    private static final List<String> HOOKS = List.of(
            "poststarthook/priority-and-fairness-filter",
            "poststarthook/start-apiextensions-controllers",
            "poststarthook/crd-informer-synced",
            "poststarthook/start-system-namespaces-controller",
            "poststarthook/rbac/bootstrap-roles",
            "poststarthook/scheduling/bootstrap-system-priority-classes",
            "poststarthook/priority-and-fairness-config-producer",
            "poststarthook/apiservice-registration-controller");

    /** The checks that fail while the store cannot be used. */
    private static final Set<String> OF_STORE = Set.of("etcd", "etcd-readiness");

    private static final String WITHHELD = "reason withheld\n";

    private final RequestMetrics metrics;

    Health(RequestMetrics metrics) {
        this.metrics = metrics;
    }

    boolean knows(String path) {
        return PATHS.contains(path);
    }

    /** Returns the paths of all checks, in the order of their names. */
    static List<String> paths() {
        Set<String> paths = new TreeSet<>();
        for (String path : PATHS) {
            paths.add("/" + path);
            checks(path).forEach(check -> paths.add("/" + path + "/" + check));
        }
        return List.copyOf(paths);
    }

    /** Returns the checks of a path, in the order in which they are reported. */
    private static List<String> checks(String path) {
        List<String> checks = new ArrayList<>(EVERYWHERE);
        boolean ready = path.equals("readyz");
        if (ready) {
            checks.addAll(List.of("etcd-readiness", "informer-sync"));
        }
        checks.addAll(HOOKS);
        if (ready) {
            checks.add("shutdown");
        }
        return checks;
    }

    /**
     * Answers a request, of any method.
     *
     * @param usable returns true if the store can be used fully
     */
    void handle(HttpExchange call, BooleanSupplier usable) {
        List<String> segments = call.path().segments();
        String path = segments.getFirst();
        List<String> checks = checks(path);
        call.transport().setHeader("X-Content-Type-Options", "nosniff");
        if (segments.size() == 1) {
            all(call, path, checks, usable);
            return;
        }
        String check = String.join("/", segments.subList(1, segments.size()));
        if (!checks.contains(check)) {
            throw Failures.noSuchPath();
        }
        boolean passed = passes(path, check, usable);
        call.text(passed ? 200 : 500, passed ? "ok" : "internal server error: " + WITHHELD);
    }

    private void all(HttpExchange call, String path, List<String> checks, BooleanSupplier usable) {
        Set<String> excluded = new TreeSet<>(call.query().all("exclude"));
        Set<String> unknown = new TreeSet<>(excluded);
        StringBuilder text = new StringBuilder();
        boolean failed = false;
        for (String check : checks) {
            if (excluded.contains(check)) {
                unknown.remove(check);
                text.append("[+]").append(check).append(" excluded: ok\n");
                continue;
            }
            boolean passed = passes(path, check, usable);
            metrics.checked(check, path, passed);
            failed |= !passed;
            text.append(passed ? "[+]" : "[-]").append(check).append(passed ? " ok\n" : " failed: " + WITHHELD);
        }
        if (!unknown.isEmpty()) {
            String names = unknown.stream().map(Failures::quoted).collect(Collectors.joining(","));
            text.append("warn: some health checks cannot be excluded: no matches for ")
                    .append(names)
                    .append('\n');
        }
        if (failed) {
            call.text(500, text + path + " check failed\n");
        } else {
            call.text(200, call.query().has("verbose") ? text + path + " check passed\n" : "ok");
        }
    }

    /** A server whose store cannot be used is not ready, but alive: a new start would not help. */
    private static boolean passes(String path, String check, BooleanSupplier usable) {
        return !path.equals("readyz") || !OF_STORE.contains(check) || usable.getAsBoolean();
    }
}
