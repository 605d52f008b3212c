package dev.evenkeel.server.internal;

import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import java.util.List;

/** {@code /healthz}, {@code /livez} and {@code /readyz}: a server that can answer is healthy. */
final class Health {
    private static final List<String> PATHS = List.of("healthz", "livez", "readyz");
    private static final List<String> CHECKS = List.of("ping", "log", "etcd", "informer-sync");

    boolean knows(String path) {
        return PATHS.contains(path);
    }

    void handle(HttpExchange call) {
        if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
            throw Refusal.noSuchMethod();
        }
        List<String> segments = call.path().segments();
        String path = segments.getFirst();
        if (segments.size() > 2 || (segments.size() == 2 && !CHECKS.contains(segments.get(1)))) {
            throw Failures.noSuchPath();
        }
        if (segments.size() == 1 && call.query().has("verbose")) {
            List<String> excluded = call.query().all("exclude");
            StringBuilder text = new StringBuilder();
            for (String check : CHECKS) {
                text.append("[+]").append(check).append(excluded.contains(check) ? " excluded: ok\n" : " ok\n");
            }
            call.text(200, text.append(path).append(" check passed\n").toString());
        } else {
            call.text(200, "ok");
        }
    }
}
