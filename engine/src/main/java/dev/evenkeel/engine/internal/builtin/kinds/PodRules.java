package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules of the specification of a pod, on its own or in a template, in upstream's order. */
final class PodRules {
    private static final int MOST_NAMESERVERS = 3;
    private static final int MOST_SEARCHES = 32;
    private static final int LONGEST_SEARCHES = 2048;
    private static final int LONGEST_HOST_NAME = 64;

    private PodRules() {}

    /** Validates the specification in a template. */
    static void template(Field spec, Set<String> claims) {
        validate(spec, "", claims, new JsonObject());
    }

    /**
     * Validates a pod itself.
     *
     * @param old the pod before; empty when it is new
     */
    static void pod(Field root, JsonObject old) {
        Field spec = root.at("spec");
        PodAnnotationRules.validate(root.at("metadata", "annotations"), spec, old.object("metadata", "annotations"));
        validate(spec, root.at("metadata", "name").text(), Set.of(), old.object("spec"));
        if (spec.at("serviceAccountName").text().isEmpty()) {
            for (Field volume : spec.at("volumes").items()) {
                for (Field source : volume.at("projected", "sources").items()) {
                    if (source.at("serviceAccountToken").given()) {
                        source.at("serviceAccountToken")
                                .forbidden("must not be specified when serviceAccountName is not set");
                    }
                }
            }
        }
        spec.at("containers").items().forEach(PodRules::imageText);
        spec.at("initContainers").items().forEach(PodRules::imageText);
    }

    static void imageText(Field container) {
        Field image = container.at("image");
        if (!image.text().strip().equals(image.text())) {
            image.invalid("must not have leading or trailing whitespace");
        }
    }

    /**
     * Validates any specification.
     *
     * @param pod the name of the pod; empty in a template
     * @param claims names of claims that the pods use as volumes in addition to those of the specification
     * @param old the specification of the pod before; empty when it is new, or a template
     */
    private static void validate(Field spec, String pod, Set<String> claims, JsonObject old) {
        if (!spec.at("terminationGracePeriodSeconds").given()) {
            spec.at("terminationGracePeriodSeconds").missing();
        }
        Map<String, JsonObject> volumes = VolumeRules.validate(spec.at("volumes"), pod, claims);
        claims.forEach(
                claim -> volumes.put(claim, JsonObject.of("name", claim, "persistentVolumeClaim", new JsonObject())));
        resourceClaims(spec.at("resourceClaims"));
        new ContainerRules(spec, volumes, old).validate();
        if (spec.at("resources").given() && spec.at("os", "name").text().equals("windows")) {
            spec.at("resources").forbidden("may not be set for a windows pod");
        } else if (spec.at("resources").given()) {
            ResourceRules.pod(spec.at("resources"));
            ResourceRules.consistent(spec);
        }
        if (SecurityContextRules.isTrue(spec.at("hostNetwork"))) {
            spec.at("containers").items().forEach(container -> hostPorts(container, !pod.isEmpty()));
        }
        requireOneOf(spec.at("restartPolicy"), "Always", "OnFailure", "Never");
        requireOneOf(spec.at("dnsPolicy"), "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
        spec.at("nodeSelector").labels();
        SecurityContextRules.pod(spec);
        SchedulingRules.affinity(spec.at("affinity"));
        dns(spec.at("dnsConfig"), spec.at("dnsPolicy").text());
        spec.at("readinessGates")
                .items()
                .forEach(gate -> gate.at("conditionType").obeys(Names::qualified));
        gates(spec.at("schedulingGates"));
        SchedulingRules.spread(spec.at("topologySpreadConstraints"));
        SecurityContextRules.hostProcess(spec);
        hostUsers(spec);
        hostName(spec);
        spec.at("serviceAccountName").requireIfGiven(Names::subdomain);
        spec.at("nodeName").requireIfGiven(Names::subdomain);
        spec.at("activeDeadlineSeconds").between(1, Integer.MAX_VALUE);
        spec.at("hostname").requireIfGiven(Names::label);
        spec.at("subdomain").requireIfGiven(Names::label);
        SchedulingRules.tolerations(spec.at("tolerations"));
        for (Field alias : spec.at("hostAliases").items()) {
            alias.at("ip").obeys(FormatRules::ip);
            alias.at("hostnames").items().forEach(name -> name.obeys(Names::subdomain));
        }
        spec.at("priorityClassName").requireIfGiven(Names::subdomain);
        Field runtimeClass = spec.at("runtimeClassName");
        if (runtimeClass.given()) {
            runtimeClass.obeys(Names::subdomain);
        }
        Field preemption = spec.at("preemptionPolicy");
        if (preemption.given()) {
            requireOneOf(preemption, "PreemptLowerPriority", "Never");
        }
        ResourceRules.overhead(spec, spec.at("overhead"));
        SecurityContextRules.operatingSystem(spec, PodAnnotationRules.containers(spec));
        variableFiles(spec);
    }

    private static void requireOneOf(Field field, String... allowed) {
        if (field.require()) {
            field.oneOf(allowed);
        }
    }

    private static void hostPorts(Field container, boolean always) {
        for (Field port : container.at("ports").items()) {
            long host = port.at("hostPort").number();
            if ((always || host != 0) && host != port.at("containerPort").number()) {
                port.at("hostPort").invalid(host, "must match `containerPort` when `hostNetwork` is true");
            }
        }
    }

    private static void resourceClaims(Field claims) {
        Set<String> names = new HashSet<>();
        for (Field claim : claims.items()) {
            Field name = claim.at("name");
            if (name.require()) {
                if (names.contains(name.text())) {
                    name.duplicate(name.text());
                } else {
                    name.obeys(Names::label);
                    names.add(name.text());
                }
            }
            Field direct = claim.at("resourceClaimName");
            Field template = claim.at("resourceClaimTemplateName");
            String shown = StructText.of(
                    claim,
                    "Name",
                    "name",
                    "ResourceClaimName",
                    "resourceClaimName",
                    "ResourceClaimTemplateName",
                    "resourceClaimTemplateName");
            if (direct.given() && template.given()) {
                claim.invalidText(
                        shown, "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
            }
            if (!direct.given() && !template.given()) {
                claim.invalidText(shown, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
            }
            for (Field reference : List.of(direct, template)) {
                if (reference.given()) {
                    reference.obeys(Names::subdomain);
                }
            }
        }
    }

    private static void gates(Field gates) {
        Set<String> seen = new HashSet<>();
        for (Field gate : gates.items()) {
            String name = gate.at("name").text();
            Names.qualified(name).forEach(detail -> gate.invalid(name, detail));
            if (!seen.add(name)) {
                gate.duplicate(name);
            }
        }
    }

    private static void dns(Field config, String policy) {
        Field servers = config.at("nameservers");
        if (policy.equals("None")) {
            if (!config.given()) {
                config.missing("must provide `dnsConfig` when `dnsPolicy` is None");
                return;
            }
            if (servers.array().isEmpty()) {
                servers.missing("must provide at least one DNS nameserver when `dnsPolicy` is None");
                return;
            }
        }
        if (servers.array().size() > MOST_NAMESERVERS) {
            servers.invalid("must not have more than " + MOST_NAMESERVERS + " nameservers");
        }
        servers.items().forEach(server -> server.obeys(FormatRules::ip));
        Field searches = config.at("searches");
        if (searches.array().size() > MOST_SEARCHES) {
            searches.invalid("must not have more than " + MOST_SEARCHES + " search paths");
        }
        int length = searches.items().stream()
                        .mapToInt(search -> Names.bytes(search.text()) + 1)
                        .sum()
                - 1;
        if (length > LONGEST_SEARCHES) {
            searches.invalid("must not have more than " + LONGEST_SEARCHES
                    + " characters (including spaces) in the search list");
        }
        for (Field search : searches.items()) {
            String text = search.text();
            if (!text.equals(".")) {
                String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
                FormatRules.searchDomain(name).forEach(detail -> search.invalid(name, detail));
            }
        }
        for (Field option : config.at("options").items()) {
            if (option.at("name").text().isEmpty()) {
                option.missing("must not be empty");
            }
        }
    }

    private static void hostUsers(Field spec) {
        if (!Boolean.FALSE.equals(spec.at("hostUsers").value())) {
            return;
        }
        String detail = "when `hostUsers` is false";
        for (String name : List.of("hostNetwork", "hostPID", "hostIPC")) {
            if (SecurityContextRules.isTrue(spec.at(name))) {
                // upstream writes two of these names with a capital
                spec.with(name.replace("hostP", "HostP").replace("hostI", "HostI"), true)
                        .forbidden(detail);
            }
        }
        for (Field container : PodAnnotationRules.containers(spec)) {
            if (!container.at("volumeDevices").array().isEmpty()) {
                container.at("volumeDevices").forbidden(detail);
            }
        }
    }

    private static void hostName(Field spec) {
        Field name = spec.at("hostnameOverride");
        if (!name.given()) {
            return;
        }
        for (String other : List.of("setHostnameAsFQDN", "hostNetwork")) {
            if (SecurityContextRules.isTrue(spec.at(other))) {
                name.forbidden("may not be specified when " + other + " is true");
            }
        }
        if (Names.bytes(name.text()) > LONGEST_HOST_NAME) {
            name.tooLong(LONGEST_HOST_NAME);
        }
        name.obeys(Names::subdomain);
    }

    private static void variableFile(Field name, List<JsonObject> volumes) {
        List<JsonObject> named = volumes.stream()
                .filter(volume -> volume.string("name").equals(name.text()))
                .toList();
        if (named.isEmpty()) {
            name.notFound(name.text(), "");
        } else if (!named.getLast().has("emptyDir")) {
            name.invalid(name.text(), "referenced volume must be of type emptyDir");
        }
    }

    /** Requires that files of variables are in volumes that the pod has for itself. */
    private static void variableFiles(Field spec) {
        for (Field container : PodAnnotationRules.containers(spec)) {
            for (Field variable : container.at("env").items()) {
                Field file = variable.at("valueFrom", "fileKeyRef");
                if (file.given()) {
                    variableFile(file.at("volumeName"), spec.object().objects("volumes"));
                }
            }
        }
    }
}
