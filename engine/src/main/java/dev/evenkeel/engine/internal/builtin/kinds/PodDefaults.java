package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defaults of pod specs, wherever they occur. */
final class PodDefaults {
    static final long MODE = 420;

    private PodDefaults() {}

    /** Applies the defaults of a template: {@code metadata} and {@code spec}. */
    static void template(Map<String, @Nullable Object> template) {
        Trees.with(template, PodDefaults::spec, "spec");
    }

    /** Applies the defaults of any pod spec. */
    static void spec(Map<String, @Nullable Object> spec) {
        Trees.fillText(spec, "restartPolicy", "Always");
        Trees.fill(spec, "terminationGracePeriodSeconds", 30L);
        Trees.fillText(spec, "dnsPolicy", "ClusterFirst");
        String account = Json.string(spec, "serviceAccountName");
        String deprecated = Json.string(spec, "serviceAccount");
        if (!account.isEmpty() || !deprecated.isEmpty()) {
            spec.put("serviceAccountName", account.isEmpty() ? deprecated : account);
            spec.put("serviceAccount", account.isEmpty() ? deprecated : account);
        }
        Trees.fill(spec, "securityContext", new LinkedHashMap<String, Object>());
        Trees.fillText(spec, "schedulerName", "default-scheduler");
        boolean hostNetwork = Trees.isTrue(spec, "hostNetwork");
        for (String containers : List.of("containers", "initContainers", "ephemeralContainers")) {
            Trees.each(spec, container -> container(container, hostNetwork), containers);
        }
        Trees.each(spec, VolumeDefaults::volume, "volumes");
    }

    private static void container(Map<String, @Nullable Object> container, boolean hostNetwork) {
        Trees.fillText(container, "terminationMessagePath", "/dev/termination-log");
        Trees.fillText(container, "terminationMessagePolicy", "File");
        Trees.fillText(container, "imagePullPolicy", pullPolicy(Json.string(container, "image")));
        Trees.each(
                container,
                port -> {
                    Trees.fillText(port, "protocol", "TCP");
                    if (hostNetwork && Json.integer(port, "hostPort") == 0 && Trees.has(port, "containerPort")) {
                        port.put("hostPort", port.get("containerPort"));
                    }
                },
                "ports");
        Trees.each(
                container,
                env -> {
                    Trees.with(env, ref -> Trees.fillText(ref, "apiVersion", "v1"), "valueFrom", "fieldRef");
                    Trees.with(env, ref -> Trees.fill(ref, "optional", false), "valueFrom", "fileKeyRef");
                },
                "env");
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            Trees.with(container, PodDefaults::probe, probe);
        }
        for (String hook : List.of("postStart", "preStop")) {
            Trees.with(container, PodDefaults::httpGet, "lifecycle", hook, "httpGet");
        }
    }

    private static void probe(Map<String, @Nullable Object> probe) {
        Trees.fill(probe, "timeoutSeconds", 1L);
        Trees.fill(probe, "periodSeconds", 10L);
        Trees.fill(probe, "successThreshold", 1L);
        Trees.fill(probe, "failureThreshold", 3L);
        Trees.with(probe, PodDefaults::httpGet, "httpGet");
        Trees.with(probe, grpc -> Trees.fill(grpc, "service", ""), "grpc");
    }

    private static void httpGet(Map<String, @Nullable Object> get) {
        Trees.fillText(get, "path", "/");
        Trees.fillText(get, "scheme", "HTTP");
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
