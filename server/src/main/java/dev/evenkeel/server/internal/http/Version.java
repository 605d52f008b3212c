package dev.evenkeel.server.internal.http;

import dev.evenkeel.engine.internal.json.JsonObject;

/** {@code /version}: the supported Kubernetes version. */
public final class Version {
    private Version() {}

    public static void handle(HttpExchange call) {
        if (!call.method().equals("GET")) {
            throw Failures.noSuchMethod();
        }
        JsonObject tree = new JsonObject();
        tree.put("major", "1");
        tree.put("minor", "36");
        tree.put("emulationMajor", "1");
        tree.put("emulationMinor", "36");
        tree.put("minCompatibilityMajor", "1");
        tree.put("minCompatibilityMinor", "35");
        tree.put("gitVersion", "v1.36.2+evenkeel");
        tree.put("gitCommit", "");
        tree.put("gitTreeState", "clean");
        tree.put("buildDate", "2026-11-21T00:00:00Z");
        tree.put("goVersion", "");
        tree.put("compiler", "java" + Runtime.version().feature());
        tree.put("platform", "linux/" + (System.getProperty("os.arch", "").equals("aarch64") ? "arm64" : "amd64"));
        call.reply(200, tree, false);
    }
}
