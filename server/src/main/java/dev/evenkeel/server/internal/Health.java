package dev.evenkeel.server.internal;

import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * {@code /healthz}, {@code /livez} and {@code /readyz}: a server that can answer is healthy. It is ready if its store can
 * be used, too: the check {@code etcd}, upstream's name for it, whatever the store.
 */
final class Health {
    private static final List<String> PATHS = List.of("healthz", "livez", "readyz");
    private static final String STORE = "etcd";
    private static final List<String> CHECKS = List.of("ping", "log", STORE, "informer-sync");

    boolean knows(String path) {
        return PATHS.contains(path);
    }

    /**
     * Answers a request.
     *
     * @param usable returns true if the store can be used fully
     */
    void handle(HttpExchange call, BooleanSupplier usable) {
        if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
            throw Refusal.noSuchMethod();
        }
        List<String> segments = call.path().segments();
        String path = segments.getFirst();
        if (segments.size() > 2 || (segments.size() == 2 && !CHECKS.contains(segments.get(1)))) {
            throw Failures.noSuchPath();
        }
        List<String> excluded = call.query().all("exclude");
        boolean counts = segments.size() == 1
                ? !excluded.contains(STORE)
                : segments.get(1).equals(STORE);
        boolean failed = path.equals("readyz") && counts && !usable.getAsBoolean();
        if (segments.size() == 2) {
            call.text(failed ? 500 : 200, failed ? "internal server error: reason withheld\n" : "ok");
        } else if (failed || call.query().has("verbose")) {
            StringBuilder text = new StringBuilder();
            for (String check : CHECKS) {
                boolean bad = failed && check.equals(STORE);
                String result =
                        bad ? " failed: reason withheld\n" : excluded.contains(check) ? " excluded: ok\n" : " ok\n";
                text.append(bad ? "[-]" : "[+]").append(check).append(result);
            }
            call.text(failed ? 500 : 200, text + path + (failed ? " check failed\n" : " check passed\n"));
        } else {
            call.text(200, "ok");
        }
    }
}
