package dev.evenkeel.engine.internal.builtin.kinds;

import com.google.re2j.Pattern;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Nodes: a new one is tainted until it is reported ready. */
record NodeStrategy(KindFacts facts) implements KindStrategy {
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final int LONGEST_FEATURE = 253;
    private static final Pattern FEATURE = Pattern.compile("[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*");

    @Override
    public void applyDefaults(JsonObject tree) {
        tree.findObject("spec").ifPresent(spec -> {
            String first = spec.string("podCIDR");
            List<@Nullable Object> all = spec.array("podCIDRs");
            if (!first.isEmpty() && (all.isEmpty() || !first.equals(all.getFirst()))) {
                spec.put("podCIDRs", Trees.items(first));
            } else if (first.isEmpty() && !all.isEmpty() && all.getFirst() instanceof String cidr) {
                spec.put("podCIDR", cidr);
            }
        });
    }

    @Override
    public void validate(Field root) {
        NodeAnnotationRules.validate(root.at("metadata", "annotations"));
        taints(root.at("metadata").with("taints", root.at("spec", "taints").value()));
        resources(root);
        Field swap = root.at("status", "nodeInfo", "swap", "capacity");
        if (swap.given() && swap.number() <= 0) {
            root.at("metadata", "nodeSwapStatus").with("capacity", swap.value()).invalid("must be greater than zero");
        }
        features(root.at("status", "declaredFeatures"));
        ranges(root.at("spec", "podCIDRs"));
    }

    private static void ranges(Field ranges) {
        List<Field> items = ranges.items();
        items.forEach(FormatRules::prefix);
        if (items.size() > 1) {
            IntStream.range(0, items.size())
                    .filter(i -> !IpLiterals.isPrefix(items.get(i).text()))
                    .findFirst()
                    .ifPresent(i ->
                            ranges.internal("invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR["
                                    + i + "]: <nil> (invalid CIDR address: "
                                    + items.get(i).text() + ")"));
        }
        long v6 = items.stream().filter(range -> range.text().contains(":")).count();
        int size = items.size();
        if (size > 2 || (size == 2 && v6 != 1)) {
            ranges.invalid("may specify no more than one CIDR for each IP family");
        }
    }

    /** Requires that the features that a node declares have names in ascending order. */
    private static void features(Field features) {
        String before = "";
        for (Field feature : features.items()) {
            String name = feature.text();
            if (!before.isEmpty() && before.equals(name)) {
                feature.duplicate(name);
            } else if (before.compareTo(name) > 0) {
                feature.invalid("list must be sorted alphabetically");
            }
            before = name;
            String wrong = "invalid feature name " + Json.text(name) + ": must ";
            if (Names.bytes(name) > LONGEST_FEATURE) {
                feature.invalid(wrong + "be no more than " + LONGEST_FEATURE + " characters");
            } else if (!FEATURE.matches(name)) {
                feature.invalid(
                        wrong + "start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g.,"
                                + " MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and"
                                + " slashes");
            }
        }
    }

    /** Validates taints, in a field or an annotation. */
    static void taints(Field taints) {
        Set<String> seen = new HashSet<>();
        for (Field taint : taints.items()) {
            taint.at("key").obeys(Names::qualified);
            List<String> wrong = Names.labelValue(taint.at("value").text());
            if (!wrong.isEmpty()) {
                taint.at("value").invalid(taint.at("value").text(), String.join(";", wrong));
            }
            Field effect = taint.at("effect");
            if (effect.require()) {
                effect.oneOf("NoSchedule", "PreferNoSchedule", "NoExecute");
            }
            if (!seen.add(effect.text() + " " + taint.at("key").text())) {
                taint.duplicateText(StructText.ofTexts(taint, "Key", "key", "Value", "value", "Effect", "effect")
                                .replaceFirst(
                                        "}$",
                                        ",\"TimeAdded\":"
                                                + Json.text(
                                                        taint.at("timeAdded").value()) + "}")
                        + ": taints must be unique by key and effect pair");
            }
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        validateStatusUpdate(root, old);
        Field spec = root.at("spec");
        JsonObject before = old.object("spec");
        List<@Nullable Object> former = before.array("podCIDRs");
        List<@Nullable Object> ranges = spec.at("podCIDRs").array();
        for (int i = 0; i < former.size(); i++) {
            boolean counts = former.size() == ranges.size();
            if (counts ? !Objects.equals(former.get(i), ranges.get(i)) : i == 0) {
                spec.at("podCIDRs").forbidden("node updates may not change podCIDR except from \"\" to valid");
            }
        }
        if (!before.string("providerID").isEmpty()
                && !before.string("providerID").equals(spec.at("providerID").text())) {
            spec.at("providerID").forbidden("node updates may not change providerID except from \"\" to valid");
        }
        taints(root.at("metadata").with("taints", spec.at("taints").value()));
        if (!before.string("externalID").equals(spec.at("externalID").text())) {
            spec.at("externalID").forbidden("may not be updated");
        }
    }

    /** Removes a configuration of the kubelet, which nodes no longer report. */
    @Override
    public void prepareForStatusUpdate(JsonObject tree, JsonObject old, Context context) {
        if (!old.has("status", "config")) {
            tree.object("status").remove("config");
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        NodeAnnotationRules.validate(root.at("metadata", "annotations"));
        resources(root);
        features(root.at("status", "declaredFeatures"));
        addresses(root);
    }

    private static void resources(Field root) {
        for (String amounts : List.of("capacity", "allocatable")) {
            Field all = root.at("status", amounts);
            all.object().keySet().forEach(name -> ResourceRules.value(all.at(name), name));
        }
    }

    private static void addresses(Field root) {
        Set<JsonObject> seen = new HashSet<>();
        for (Field address : root.at("status", "addresses").items()) {
            if (!seen.add(address.object())) {
                address.duplicateText(StructText.ofTexts(address, "Type", "type", "Address", "address"));
            }
        }
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>();
        if (!tree.string("spec", "externalID").isEmpty()) {
            warnings.add("spec.externalID: this field is deprecated, and is unused by Kubernetes");
        }
        warnings.addAll(AddressWarnings.ranges("spec.podCIDRs", tree.strings("spec", "podCIDRs")));
        return warnings;
    }

    /** Keeps the status: kubelets register nodes with theirs. */
    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        JsonObject spec = tree.withObject("spec");
        List<@Nullable Object> taints = new ArrayList<>(spec.array("taints"));
        taints.add(JsonObject.of("key", "node.kubernetes.io/not-ready", "effect", "NoSchedule"));
        spec.put("taints", taints);
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Status" -> {
                Object ready = Trees.condition(tree, "Ready");
                String status =
                        ready == null ? "Unknown" : Json.string(ready, "status").equals("True") ? "Ready" : "NotReady";
                yield tree.bool("spec", "unschedulable") ? status + ",SchedulingDisabled" : status;
            }
            case "Roles" -> CellRule.orNone(roles(tree.object("metadata", "labels")));
            case "Internal-IP" -> address(tree, "InternalIP");
            case "External-IP" -> address(tree, "ExternalIP");
            default -> {
                String kernel = tree.string("status", "nodeInfo", "kernelVersion");
                String architecture = tree.string("status", "nodeInfo", "architecture");
                yield kernel.isEmpty()
                        ? "<unknown>"
                        : architecture.isEmpty() ? kernel : kernel + " (" + architecture + ")";
            }
        };
    }

    private static String roles(JsonObject labels) {
        TreeSet<String> roles = new TreeSet<>();
        labels.forEach((label, value) -> {
            if (label.startsWith(ROLE) && label.length() > ROLE.length()) {
                roles.add(label.substring(ROLE.length()));
            } else if (label.equals("kubernetes.io/role") && value instanceof String role && !role.isEmpty()) {
                roles.add(role);
            }
        });
        return String.join(",", roles);
    }

    private static String address(JsonObject tree, String type) {
        for (Object address : tree.array("status", "addresses")) {
            if (Json.string(address, "type").equals(type)) {
                return Json.string(address, "address");
            }
        }
        return "<none>";
    }
}
