package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of services. */
final class ServiceValidation {
    private ServiceValidation() {}

    static List<FieldError> service(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        String type = Json.string(tree, "spec", "type");
        List<@Nullable Object> ports = Trees.list(tree, "spec", "ports");
        boolean headless = Json.string(tree, "spec", "clusterIP").equals("None");
        if (ports.isEmpty() && !headless && !type.equals("ExternalName")) {
            findings.required("spec.ports");
        }
        if (type.equals("LoadBalancer") && headless) {
            findings.invalid("spec.clusterIPs[0]", "None", "may not be set to 'None' for LoadBalancer services");
        }
        if (type.equals("NodePort") && headless) {
            findings.invalid("spec.clusterIPs[0]", "None", "may not be set to 'None' for NodePort services");
        }
        if (type.equals("ExternalName")) {
            String name = Json.string(tree, "spec", "externalName");
            String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
            if (bare.isEmpty()) {
                findings.required("spec.externalName");
            } else {
                findings.invalid("spec.externalName", name, Names.subdomain(bare));
            }
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            port(ports.get(i), "spec.ports[" + i + "]", ports.size() > 1, names, findings);
        }
        Trees.object(tree, "spec", "selector").forEach((key, value) -> {
            findings.invalid("spec.selector", key, Names.qualified(key));
            findings.invalid("spec.selector", value, Names.labelValue(String.valueOf(value)));
        });
        findings.oneOf("spec.sessionAffinity", Json.string(tree, "spec", "sessionAffinity"), "ClientIP", "None");
        findings.oneOf("spec.type", type, "ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
        duplicatePorts(ports, findings);
        return findings.list();
    }

    private static void port(@Nullable Object port, String at, boolean several, Set<String> names, Findings findings) {
        String name = Json.string(port, "name");
        if (name.isEmpty()) {
            if (several) {
                findings.required(at + ".name");
            }
        } else {
            List<String> wrong = Names.label(name);
            findings.invalid(at + ".name", name, wrong);
            if (wrong.isEmpty() && !names.add(name)) {
                findings.add(FieldError.duplicate(at + ".name", name));
            }
        }
        findings.port(at + ".port", Json.at(port, "port"));
        String protocol = Json.string(port, "protocol");
        if (protocol.isEmpty()) {
            findings.required(at + ".protocol");
        } else {
            findings.oneOf(at + ".protocol", protocol, "SCTP", "TCP", "UDP");
        }
        Object target = Json.at(port, "targetPort");
        if (target instanceof String text) {
            findings.invalid(at + ".targetPort", text, PortNames.wrong(text));
        } else {
            findings.port(at + ".targetPort", target);
        }
        Object nodePort = Json.at(port, "nodePort");
        if (nodePort instanceof Long number && number != 0) {
            findings.port(at + ".nodePort", nodePort);
        }
    }

    private static void duplicatePorts(List<@Nullable Object> ports, Findings findings) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            Map<String, @Nullable Object> key = Trees.of(
                    "protocol", Json.string(ports.get(i), "protocol"), "port", Json.integer(ports.get(i), "port"));
            if (!seen.add(Json.text(key))) {
                findings.add(FieldError.duplicate("spec.ports[" + i + "]", key));
            }
        }
    }

    static List<FieldError> update(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        boolean external = Json.string(tree, "spec", "type").equals("ExternalName");
        boolean wasExternal = Json.string(old, "spec", "type").equals("ExternalName");
        Object addresses = Json.at(tree, "spec", "clusterIPs");
        if (!external
                && !wasExternal
                && !Json.string(old, "spec", "clusterIP").isEmpty()
                && !Objects.equals(addresses, Json.at(old, "spec", "clusterIPs"))) {
            findings.invalid("spec.clusterIPs[0]", addresses, "may not change once set");
        }
        return findings.list();
    }
}
