package dev.evenkeel.server.internal.http;

import dev.evenkeel.engine.internal.json.JsonObject;

/** {@code /version}: the supported Kubernetes version. */
public final class Version {
    private Version() {}

    public static void handle(HttpExchange call) {
        call.requireGet();
        Representation.requireAccepted(call.accept(), HttpExchange.JSON);
        call.reply(200, tree(), Encoding.JSON);
    }

    static JsonObject tree() {
        String architecture = System.getProperty("os.arch", "").equals("aarch64") ? "arm64" : "amd64";
        return JsonObject.of("major", "1", "minor", "36")
                .set("emulationMajor", "1")
                .set("emulationMinor", "36")
                .set("minCompatibilityMajor", "1")
                .set("minCompatibilityMinor", "35")
                .set("gitVersion", "v1.36.2+evenkeel")
                .set("gitCommit", "")
                .set("gitTreeState", "clean")
                .set("buildDate", "2026-11-21T00:00:00Z")
                .set("goVersion", "")
                .set("compiler", "java" + Runtime.version().feature())
                .set("platform", "linux/" + architecture);
    }
}
