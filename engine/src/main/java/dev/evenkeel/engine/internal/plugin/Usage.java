package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.builtin.kinds.Selectors;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Quantity;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The amounts that the objects of a type use of the resources that quotas limit. */
public interface Usage {
    /** Types that were never limited, or whose objects are not stored. */
    Set<String> UNLIMITED = Set.of("events", "events.events.k8s.io", "bindings");

    /** The names, other than {@code count/...}, under which objects of some types were counted first. */
    Set<String> ALIASES = Set.of("configmaps", "resourcequotas", "replicationcontrollers", "secrets");

    /** Returns the rule of a type. */
    static Usage of(ResourceType type) {
        return switch (type.id()) {
            case "pods" -> new PodUsage();
            case "services" -> new ServiceUsage();
            case "persistentvolumeclaims" -> new ClaimUsage();
            case "resourceclaims.resource.k8s.io" -> new DeviceUsage();
            default ->
                new Count(
                        ALIASES.contains(type.id())
                                ? List.of("count/" + type.id(), type.id())
                                : List.of("count/" + type.id()));
        };
    }

    /** Returns true if a write may change the usage. */
    boolean handles(Write write);

    /** Returns the names that objects of the type use, of those given. */
    List<String> tracked(Collection<String> names);

    /** Returns true if an object is in a scope, which is a requirement of a selector. */
    default boolean matches(JsonObject scope, JsonObject tree) {
        return false;
    }

    /** Returns the facts of an object that its scopes depend on. */
    default List<Object> scoped(JsonObject tree) {
        return List.of();
    }

    /** Returns why an object cannot be measured by some resources; empty when it can. */
    default String problem(Collection<String> names, JsonObject tree) {
        return "";
    }

    /** Returns what an object uses. */
    ResourceAmounts usage(JsonObject tree, Instant now);

    /** Returns true if an object is in all scopes of a quota. */
    default boolean inScope(JsonObject quota, JsonObject tree) {
        return scopes(quota).stream().allMatch(scope -> matches(scope, tree));
    }

    /** Returns the scopes of a quota, as requirements. */
    private static List<JsonObject> scopes(JsonObject quota) {
        List<JsonObject> scopes = new ArrayList<>();
        quota.object("spec")
                .strings("scopes")
                .forEach(name -> scopes.add(JsonObject.of("scopeName", name, "operator", "Exists")));
        scopes.addAll(quota.objects("spec", "scopeSelector", "matchExpressions"));
        return scopes;
    }

    /** Returns true if a value, which may be empty for none, fulfils a requirement. */
    static boolean fulfils(JsonObject scope, String value) {
        String name = scope.string("scopeName");
        JsonObject labels = new JsonObject().setUnlessEmpty(name, value);
        JsonObject requirement = new JsonObject(scope).set("key", name);
        return Selectors.matches(JsonObject.of("matchExpressions", new ArrayList<>(List.of(requirement))), labels);
    }

    /** Objects that are only counted. */
    record Count(List<String> names) implements Usage {
        @Override
        public boolean handles(Write write) {
            return Plugin.creates(write);
        }

        @Override
        public List<String> tracked(Collection<String> all) {
            return all.stream().filter(names::contains).toList();
        }

        @Override
        public ResourceAmounts usage(JsonObject tree, Instant now) {
            return counted(names);
        }
    }

    private static ResourceAmounts counted(List<String> names) {
        ResourceAmounts counted = ResourceAmounts.NONE;
        for (String name : names) {
            counted = counted.with(name, Quantity.of(1));
        }
        return counted;
    }

    /** Pods: their number, and what their containers request and are limited to. */
    record PodUsage() implements Usage {
        private static final List<String> COMPUTE = List.of("cpu", "memory", "ephemeral-storage");
        private static final Set<String> REQUIRED =
                Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

        @Override
        public boolean handles(Write write) {
            return Plugin.creates(write)
                    || (write.operation() == Operation.UPDATE
                            && write.target().subresource().equals("resize"));
        }

        @Override
        public List<String> tracked(Collection<String> names) {
            return names.stream().filter(PodUsage::isTracked).toList();
        }

        private static boolean isTracked(String name) {
            String amount = name.replaceFirst("^(requests|limits)\\.", "");
            return name.equals("pods")
                    || name.equals("count/pods")
                    || COMPUTE.contains(amount)
                    || name.startsWith("hugepages-")
                    || name.startsWith("requests.hugepages-")
                    || (name.startsWith("requests.") && isExtended(amount));
        }

        /** Returns true for resources of devices, which have a domain that is not Kubernetes' own. */
        private static boolean isExtended(String name) {
            int slash = name.indexOf('/');
            return slash > 0 && !name.substring(0, slash).endsWith("kubernetes.io");
        }

        @Override
        public List<Object> scoped(JsonObject tree) {
            return List.of(
                    isTerminating(tree),
                    tree.string("status", "qosClass"),
                    tree.string("spec", "priorityClassName"),
                    crossesNamespaces(tree));
        }

        @Override
        public boolean matches(JsonObject scope, JsonObject tree) {
            boolean bestEffort = tree.string("status", "qosClass").equals("BestEffort");
            return switch (scope.string("scopeName")) {
                case "Terminating" -> isTerminating(tree);
                case "NotTerminating" -> !isTerminating(tree);
                case "BestEffort" -> bestEffort;
                case "NotBestEffort" -> !bestEffort;
                case "PriorityClass" -> fulfils(scope, tree.string("spec", "priorityClassName"));
                case "CrossNamespacePodAffinity" -> crossesNamespaces(tree);
                default -> false;
            };
        }

        private static boolean isTerminating(JsonObject pod) {
            return pod.has("spec", "activeDeadlineSeconds") && pod.integer("spec", "activeDeadlineSeconds") >= 0;
        }

        private static boolean crossesNamespaces(JsonObject pod) {
            for (String affinity : List.of("podAffinity", "podAntiAffinity")) {
                JsonObject rules = pod.object("spec", "affinity", affinity);
                List<JsonObject> terms =
                        new ArrayList<>(rules.objects("requiredDuringSchedulingIgnoredDuringExecution"));
                rules.objects("preferredDuringSchedulingIgnoredDuringExecution")
                        .forEach(preferred -> terms.add(preferred.object("podAffinityTerm")));
                if (terms.stream()
                        .anyMatch(term -> !term.array("namespaces").isEmpty() || term.has("namespaceSelector"))) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String problem(Collection<String> names, JsonObject tree) {
            if (new PodResources(tree).isStatedByPod()) {
                return "";
            }
            List<JsonObject> containers = new ArrayList<>(tree.objects("spec", "containers"));
            containers.addAll(tree.objects("spec", "initContainers"));
            List<String> missing = new ArrayList<>();
            for (String name :
                    names.stream().filter(REQUIRED::contains).sorted().toList()) {
                List<String> lacking = containers.stream()
                        .filter(container -> used(
                                        ResourceAmounts.of(container, "resources", "requests"),
                                        ResourceAmounts.of(container, "resources", "limits"))
                                .amount(name)
                                .isEmpty())
                        .map(container -> container.string("name"))
                        .distinct()
                        .sorted()
                        .toList();
                if (!lacking.isEmpty()) {
                    missing.add(name + " for: " + String.join(",", lacking));
                }
            }
            return missing.isEmpty() ? "" : "must specify " + String.join("; ", missing);
        }

        @Override
        public ResourceAmounts usage(JsonObject tree, Instant now) {
            ResourceAmounts counted = counted(List.of("count/pods"));
            if (hasEnded(tree, now)) {
                return counted;
            }
            PodResources pod = new PodResources(tree);
            return counted.plus(used(pod.chargedRequests(), pod.chargedLimits()));
        }

        /** Returns true if a pod is complete, or still there after it was to be gone. */
        private static boolean hasEnded(JsonObject pod, Instant now) {
            String phase = pod.string("status", "phase");
            String deletion = pod.string("metadata", "deletionTimestamp");
            return phase.equals("Failed")
                    || phase.equals("Succeeded")
                    || (!deletion.isEmpty()
                            && now.isAfter(Instant.parse(deletion)
                                    .plusSeconds(pod.integer("metadata", "deletionGracePeriodSeconds"))));
        }

        private static ResourceAmounts used(ResourceAmounts requests, ResourceAmounts limits) {
            Map<String, Quantity> used = new HashMap<>();
            used.put("pods", Quantity.of(1));
            requests.forEach((name, amount) -> {
                if (COMPUTE.contains(name) || name.startsWith("hugepages-")) {
                    used.put(name, amount);
                    used.put("requests." + name, amount);
                } else if (isExtended(name)) {
                    used.put("requests." + name, amount);
                }
            });
            limits.forEach((name, amount) -> {
                if (COMPUTE.contains(name)) {
                    used.put("limits." + name, amount);
                }
            });
            ResourceAmounts all = ResourceAmounts.NONE;
            for (Map.Entry<String, Quantity> entry : used.entrySet()) {
                all = all.with(entry.getKey(), entry.getValue());
            }
            return all;
        }
    }

    /** Services: their number, their node ports, and those with a load balancer. */
    record ServiceUsage() implements Usage {
        private static final List<String> NAMES =
                List.of("count/services", "services", "services.nodeports", "services.loadbalancers");

        @Override
        public boolean handles(Write write) {
            return write.is(Operation.CREATE, Operation.UPDATE);
        }

        @Override
        public List<String> tracked(Collection<String> names) {
            return names.stream().filter(NAMES::contains).toList();
        }

        @Override
        public ResourceAmounts usage(JsonObject tree, Instant now) {
            List<JsonObject> ports = tree.objects("spec", "ports");
            long nodePorts = 0;
            long balancers = 0;
            switch (tree.string("spec", "type")) {
                case "NodePort" -> nodePorts = ports.size();
                case "LoadBalancer" -> {
                    balancers = 1;
                    boolean allocated = !Boolean.FALSE.equals(tree.at("spec", "allocateLoadBalancerNodePorts"));
                    nodePorts = ports.stream()
                            .filter(port -> allocated || port.integer("nodePort") != 0)
                            .count();
                }
                default -> {}
            }
            return counted(List.of("count/services", "services"))
                    .with("services.nodeports", Quantity.of(nodePorts))
                    .with("services.loadbalancers", Quantity.of(balancers));
        }
    }

    /** Persistent volume claims: their number and the storage they request, in all and for each storage class. */
    record ClaimUsage() implements Usage {
        private static final String STORAGE = "requests.storage";
        private static final String CLAIMS = "persistentvolumeclaims";
        private static final String CLASS = ".storageclass.storage.k8s.io/";

        @Override
        public boolean handles(Write write) {
            JsonObject old = write.old();
            return switch (write.target().subresource()) {
                case "" -> write.is(Operation.CREATE, Operation.UPDATE);
                case "status" -> old != null && !facts(old).equals(facts(write.tree()));
                default -> false;
            };
        }

        private static List<Object> facts(JsonObject claim) {
            return List.of(claim.string("status", "allocatedResources", "storage"), classes(claim));
        }

        @Override
        public List<String> tracked(Collection<String> names) {
            return names.stream()
                    .filter(name -> List.of(CLAIMS, "count/" + CLAIMS, STORAGE).contains(name)
                            || name.endsWith(CLASS + CLAIMS)
                            || name.endsWith(CLASS + STORAGE))
                    .toList();
        }

        @Override
        public List<Object> scoped(JsonObject tree) {
            return List.of(classes(tree));
        }

        @Override
        public boolean matches(JsonObject scope, JsonObject tree) {
            List<String> classes = classes(tree);
            return scope.string("scopeName").equals("VolumeAttributesClass")
                    && (classes.isEmpty()
                            ? fulfils(scope, "")
                            : classes.stream().anyMatch(name -> fulfils(scope, name)));
        }

        /** Returns the attributes classes that a claim wants, has, or is being changed to. */
        private static List<String> classes(JsonObject claim) {
            return List.of(
                            claim.string("spec", "volumeAttributesClassName"),
                            claim.string("status", "currentVolumeAttributesClassName"),
                            claim.string("status", "modifyVolumeStatus", "targetVolumeAttributesClassName"))
                    .stream()
                    .filter(name -> !name.isEmpty())
                    .distinct()
                    .toList();
        }

        @Override
        public ResourceAmounts usage(JsonObject tree, Instant now) {
            String annotated = tree.string("metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
            String storageClass = annotated.isEmpty() ? tree.string("spec", "storageClassName") : annotated;
            ResourceAmounts used = counted(List.of(CLAIMS, "count/" + CLAIMS));
            Optional<Quantity> storage = storage(tree);
            if (storage.isPresent()) {
                used = used.with(STORAGE, storage.get());
            }
            if (!storageClass.isEmpty()) {
                used = used.with(storageClass + CLASS + CLAIMS, Quantity.of(1));
                if (storage.isPresent()) {
                    used = used.with(storageClass + CLASS + STORAGE, storage.get());
                }
            }
            return used;
        }

        private static Optional<Quantity> storage(JsonObject claim) {
            Optional<Quantity> allocated = Quantity.read(claim.string("status", "allocatedResources", "storage"));
            return Quantity.read(claim.string("spec", "resources", "requests", "storage"))
                    .map(requested -> allocated
                            .filter(more -> more.compareTo(requested) > 0)
                            .orElse(requested))
                    .map(Quantity::roundedUp);
        }
    }

    /** Claims of devices: their number, and for each device class the most devices that they may get. */
    record DeviceUsage() implements Usage {
        private static final String COUNT = "count/resourceclaims.resource.k8s.io";
        private static final String DEVICES = ".deviceclass.resource.k8s.io/devices";
        private static final long MOST = 32;

        @Override
        public boolean handles(Write write) {
            return write.is(Operation.CREATE, Operation.UPDATE)
                    && write.target().subresource().isEmpty();
        }

        @Override
        public List<String> tracked(Collection<String> names) {
            return names.stream()
                    .filter(name -> name.equals(COUNT) || name.endsWith(DEVICES))
                    .toList();
        }

        @Override
        public ResourceAmounts usage(JsonObject tree, Instant now) {
            ResourceAmounts used = counted(List.of(COUNT));
            for (JsonObject request : tree.objects("spec", "devices", "requests")) {
                ResourceAmounts most = ResourceAmounts.NONE;
                for (JsonObject alternative : request.objects("firstAvailable")) {
                    most = most.max(devices(alternative));
                }
                JsonObject exactly = request.object("exactly");
                used = used.plus(exactly.isEmpty() ? most : devices(exactly));
            }
            return used;
        }

        private static ResourceAmounts devices(JsonObject request) {
            long number = request.string("allocationMode").equals("All") ? MOST : request.integer("count");
            return ResourceAmounts.NONE.with(request.string("deviceClassName") + DEVICES, Quantity.of(number));
        }
    }
}
