package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;

/** Defaults of pod specs, wherever they occur. */
final class PodDefaults {
    static final long MODE = 420;

    private PodDefaults() {}

    /** Applies the defaults of a template: {@code metadata} and {@code spec}. */
    static void template(JsonObject template) {
        template.findObject("spec").ifPresent(PodDefaults::spec);
    }

    /** Applies the defaults of any pod spec. */
    static void spec(JsonObject spec) {
        spec.setIfEmpty("restartPolicy", "Always");
        spec.putIfAbsent("terminationGracePeriodSeconds", 30L);
        spec.setIfEmpty("dnsPolicy", "ClusterFirst");
        String account = spec.string("serviceAccountName");
        String deprecated = spec.string("serviceAccount");
        if (!account.isEmpty() || !deprecated.isEmpty()) {
            spec.put("serviceAccountName", account.isEmpty() ? deprecated : account);
            spec.put("serviceAccount", account.isEmpty() ? deprecated : account);
        }
        spec.putIfAbsent("securityContext", new JsonObject());
        spec.setIfEmpty("schedulerName", "default-scheduler");
        boolean hostNetwork = spec.bool("hostNetwork");
        for (String containers : List.of("containers", "initContainers", "ephemeralContainers")) {
            spec.objects(containers).forEach(container -> container(container, hostNetwork));
        }
        spec.objects("volumes").forEach(VolumeDefaults::volume);
    }

    private static void container(JsonObject container, boolean hostNetwork) {
        container.setIfEmpty("terminationMessagePath", "/dev/termination-log");
        container.setIfEmpty("terminationMessagePolicy", "File");
        container.setIfEmpty("imagePullPolicy", pullPolicy(container.string("image")));
        container.objects("ports").forEach(port -> {
            port.setIfEmpty("protocol", "TCP");
            if (hostNetwork && port.integer("hostPort") == 0 && port.has("containerPort")) {
                port.put("hostPort", port.get("containerPort"));
            }
        });
        container.objects("env").forEach(env -> {
            env.findObject("valueFrom", "fieldRef").ifPresent(ref -> ref.setIfEmpty("apiVersion", "v1"));
            env.findObject("valueFrom", "fileKeyRef").ifPresent(ref -> ref.putIfAbsent("optional", false));
        });
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            container.findObject(probe).ifPresent(PodDefaults::probe);
        }
        for (String hook : List.of("postStart", "preStop")) {
            container.findObject("lifecycle", hook, "httpGet").ifPresent(PodDefaults::httpGet);
        }
    }

    private static void probe(JsonObject probe) {
        probe.putIfAbsent("timeoutSeconds", 1L);
        probe.putIfAbsent("periodSeconds", 10L);
        probe.putIfAbsent("successThreshold", 1L);
        probe.putIfAbsent("failureThreshold", 3L);
        probe.findObject("httpGet").ifPresent(PodDefaults::httpGet);
        probe.findObject("grpc").ifPresent(grpc -> grpc.putIfAbsent("service", ""));
    }

    private static void httpGet(JsonObject get) {
        get.setIfEmpty("path", "/");
        get.setIfEmpty("scheme", "HTTP");
    }

    /** Returns the pull policy: images without a tag or with {@code latest} are always pulled. */
    static String pullPolicy(String image) {
        if (image.contains("@")) {
            return "IfNotPresent";
        }
        String last = image.substring(image.lastIndexOf('/') + 1);
        int colon = last.indexOf(':');
        return colon < 0 || last.substring(colon + 1).equals("latest") ? "Always" : "IfNotPresent";
    }
}
