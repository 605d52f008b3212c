package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The plugin LimitRanger: gives new pods the default limits and requests of the limit ranges of their namespace, and
 * refuses pods and claims that break one. Semantics and messages: upstream's.
 */
record LimitRanges(WriteContext cluster) implements Plugin {
    private static final String PODS = "pods";
    private static final String ANNOTATION = "kubernetes.io/limit-ranger";

    @Override
    public Set<String> types() {
        return Set.of(PODS, "persistentvolumeclaims");
    }

    private static boolean isPod(Write write) {
        return write.target().type().id().equals(PODS);
    }

    /** Returns the limit ranges that apply to a write, by name; none for objects that are being deleted. */
    private List<JsonObject> ranges(Write write) {
        boolean update = write.operation() == Operation.UPDATE;
        boolean concerned = switch (write.target().subresource()) {
            case "" -> !(update && isPod(write));
            case "resize" -> update && isPod(write);
            default -> false;
        };
        JsonObject old = write.old();
        return !concerned || (old != null && old.has("metadata", "deletionTimestamp"))
                ? List.of()
                : cluster.objects("limitranges", write.target().namespace());
    }

    @Override
    public void mutate(Write write) {
        if (isPod(write)) {
            ranges(write).forEach(range -> applyDefaults(range, write.tree()));
        }
    }

    private static void applyDefaults(JsonObject range, JsonObject pod) {
        JsonObject requests = new JsonObject();
        JsonObject limits = new JsonObject();
        for (JsonObject limit : range.objects("spec", "limits")) {
            if (limit.string("type").equals("Container")) {
                requests.putAll(limit.object("defaultRequest"));
                limits.putAll(limit.object("default"));
            }
        }
        List<String> notes = new ArrayList<>();
        for (JsonObject container : pod.objects("spec", "containers")) {
            applyDefaults(container, requests, limits, "container", notes);
        }
        for (JsonObject container : pod.objects("spec", "initContainers")) {
            applyDefaults(container, requests, limits, "init container", notes);
        }
        if (!notes.isEmpty()) {
            pod.withObject("metadata")
                    .withObject("annotations")
                    .put(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", notes));
        }
    }

    private static void applyDefaults(
            JsonObject container, JsonObject requests, JsonObject limits, String what, List<String> notes) {
        note(notes, add(container, "requests", requests), "request", what, container);
        note(notes, add(container, "limits", limits), "limit", what, container);
    }

    /** Adds the amounts that a container lacks; returns their names, sorted. */
    private static List<String> add(JsonObject container, String field, JsonObject defaults) {
        JsonObject present = container.object("resources", field);
        List<String> missing = defaults.keySet().stream()
                .filter(name -> !present.containsKey(name))
                .sorted()
                .toList();
        if (!missing.isEmpty()) {
            JsonObject amounts = container.withObject("resources").withObject(field);
            missing.forEach(name -> amounts.put(name, defaults.get(name)));
        }
        return missing;
    }

    private static void note(List<String> notes, List<String> names, String field, String what, JsonObject container) {
        if (!names.isEmpty()) {
            notes.add(String.join(", ", names) + " " + field + " for " + what + " " + container.string("name"));
        }
    }

    @Override
    public void validate(Write write) {
        for (JsonObject range : ranges(write)) {
            List<String> errors = new ArrayList<>();
            for (JsonObject limit : range.objects("spec", "limits")) {
                if (isPod(write)) {
                    validatePod(limit, write.tree(), errors);
                } else if (limit.string("type").equals("PersistentVolumeClaim")) {
                    validateClaim(limit, write.tree(), errors);
                }
            }
            if (!errors.isEmpty()) {
                throw Plugin.refuse(write, Permissions.listed(errors));
            }
        }
    }

    private static void validatePod(JsonObject limit, JsonObject pod, List<String> errors) {
        switch (limit.string("type")) {
            case "Container" ->
                Stream.concat(
                                pod.objects("spec", "containers").stream(),
                                pod.objects("spec", "initContainers").stream())
                        .forEach(container -> new Bounds(
                                        limit,
                                        ResourceAmounts.of(container, "resources", "requests"),
                                        ResourceAmounts.of(container, "resources", "limits"))
                                .check(errors));
            case "Pod" -> {
                PodResources resources = new PodResources(pod);
                new Bounds(limit, resources.requests(), resources.limits()).check(errors);
            }
            default -> {}
        }
    }

    private static void validateClaim(JsonObject limit, JsonObject claim, List<String> errors) {
        Bounds bounds =
                new Bounds(limit, ResourceAmounts.of(claim, "spec", "resources", "requests"), ResourceAmounts.NONE);
        ResourceAmounts.of(limit, "min").forEach((name, least) -> bounds.atLeast(name, least, errors));
        ResourceAmounts.of(limit, "max").forEach((name, most) -> bounds.requestAtMost(name, most, errors));
    }

    /** A limit, and the amounts that it bounds. */
    private record Bounds(JsonObject limit, ResourceAmounts requests, ResourceAmounts limits) {
        void check(List<String> errors) {
            ResourceAmounts.of(limit, "min").forEach((name, least) -> atLeast(name, least, errors));
            ResourceAmounts.of(limit, "max").forEach((name, most) -> atMost(name, most, errors));
            ResourceAmounts.of(limit, "maxLimitRequestRatio").forEach((name, most) -> ratio(name, most, errors));
        }

        void atLeast(String name, Quantity least, List<String> errors) {
            String bound = bound("minimum", name, least);
            Optional<Quantity> request = requests.amount(name);
            Optional<Quantity> most = limits.amount(name);
            if (request.isEmpty()) {
                errors.add(bound + ".  No request is specified");
            } else if (request.get().compareTo(least) < 0) {
                errors.add(bound + ", but request is " + request.get().text());
            } else if (most.isPresent() && most.get().compareTo(least) < 0) {
                errors.add(bound + ", but limit is " + most.get().text());
            }
        }

        private void atMost(String name, Quantity most, List<String> errors) {
            String bound = bound("maximum", name, most);
            Optional<Quantity> set = limits.amount(name);
            if (set.isEmpty()) {
                errors.add(bound + ".  No limit is specified");
            } else if (set.get().compareTo(most) > 0) {
                errors.add(bound + ", but limit is " + set.get().text());
            } else if (requests.amount(name).isPresent()) {
                requestAtMost(name, most, errors);
            }
        }

        void requestAtMost(String name, Quantity most, List<String> errors) {
            String bound = bound("maximum", name, most);
            Optional<Quantity> request = requests.amount(name);
            if (request.isEmpty()) {
                errors.add(bound + ".  No request is specified");
            } else if (request.get().compareTo(most) > 0) {
                errors.add(bound + ", but request is " + request.get().text());
            }
        }

        private void ratio(String name, Quantity most, List<String> errors) {
            String bound = name + " max limit to request ratio per " + limit.string("type") + " is " + most.text();
            double request = thousandths(requests.amount(name));
            double set = thousandths(limits.amount(name));
            if (request == 0) {
                errors.add(bound + ", but no request is specified or request is 0");
            } else if (set == 0) {
                errors.add(bound + ", but no limit is specified or limit is 0");
            } else if (set / request * 1000 > thousandths(Optional.of(most))) {
                errors.add(bound + ", but provided ratio is " + String.format(Locale.ROOT, "%f", set / request));
            }
        }

        private static double thousandths(Optional<Quantity> amount) {
            return amount.map(quantity -> quantity.value()
                            .movePointRight(3)
                            .setScale(0, RoundingMode.UP)
                            .doubleValue())
                    .orElse(0.0);
        }

        private String bound(String which, String name, Quantity enforced) {
            return which + " " + name + " usage per " + limit.string("type") + " is " + enforced.text();
        }
    }
}
