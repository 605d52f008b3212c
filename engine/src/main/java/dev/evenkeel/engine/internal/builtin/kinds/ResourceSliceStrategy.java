package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Resource slices: the devices that a driver offers on a node. */
record ResourceSliceStrategy(KindFacts facts) implements KindStrategy {
    private static final int MOST_DEVICES = 128;
    private static final int MOST_WITH_TAINTS = 64;
    private static final int MOST_PROPERTIES = 32;
    private static final int MOST_COUNTERS = 32;
    private static final int MOST_COUNTER_SETS = 8;
    private static final int MOST_CONSUMPTIONS = 2;
    private static final int MOST_TAINTS = 16;
    private static final int LONGEST_VALUE = 64;
    private static final List<String> LISTS = List.of("bools", "ints", "strings", "versions");
    private static final String NUMBER = "(0|[1-9]\\d*)";
    private static final String IDENTIFIER = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
    private static final Pattern VERSION = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(-" + IDENTIFIER
            + "(\\." + IDENTIFIER + ")*)?(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?");
    private static final String PER_DEVICE = "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when"
            + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

    /** Removes the values and fields of devices whose features are off. */
    @Override
    public void dropDisabled(JsonObject tree) {
        for (JsonObject device : tree.objects("spec", "devices")) {
            device.remove("nodeAllocatableResourceMappings");
            device.object("attributes").values().forEach(attribute -> {
                if (attribute instanceof JsonObject values) {
                    LISTS.forEach(values::remove);
                }
            });
        }
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        String driver = tree.string("spec", "driver");
        return driver.equals(driver.toLowerCase(Locale.ROOT))
                ? List.of()
                : List.of("spec.driver: driver names should be lowercase; " + Json.text(driver)
                        + " contains uppercase characters");
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        taints(tree, context);
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        taints(tree, context);
    }

    /** Sets the time of taints that have none. */
    private static void taints(JsonObject tree, Context context) {
        for (JsonObject device : tree.objects("spec", "devices")) {
            device.objects("taints").forEach(taint -> taint.putIfAbsent("timeAdded", Times.seconds(context.now())));
        }
    }

    @Override
    public boolean validatesWhole() {
        return false;
    }

    @Override
    public void validate(Field root) {
        validateSpec(root, null);
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        validateSpec(root, old);
    }

    private static void validateSpec(Field root, @Nullable JsonObject old) {
        Field spec = root.at("spec");
        VolumeRules.csiDriver(spec.at("driver"));
        Field pool = spec.at("pool");
        DeviceRules.pool(pool.at("name"));
        if (pool.at("resourceSliceCount").number() <= 0) {
            pool.at("resourceSliceCount").invalid(pool.at("resourceSliceCount").number(), "must be greater than zero");
        }
        if (pool.at("generation").number() < 0) {
            pool.at("generation").invalid("must be greater than or equal to zero");
        }
        if (old != null) {
            root.immutable(old, "spec", "pool", "name");
            root.immutable(old, "spec", "driver");
            root.immutable(old, "spec", "nodeName");
        }
        nodes(spec);
        Field counters = spec.at("sharedCounters");
        if (counters.given() && spec.at("devices").given()) {
            spec.invalid("", "only one of `sharedCounters` or `devices` is allowed");
        }
        devices(spec, old == null ? List.of() : old.objects("spec", "devices"));
        DeviceRules.set(
                counters,
                MOST_COUNTER_SETS,
                set -> counters(set, "name"),
                set -> set.at("name").text());
    }

    private static void nodes(Field spec) {
        List<String> given = nodeFields(spec, true);
        flag(spec, "perDeviceNodeSelection", given);
        String rule = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
        if (given.isEmpty()) {
            spec.missing(rule);
        } else if (given.size() > 1) {
            spec.invalid("{" + String.join(", ", given) + "}", rule + ", but multiple fields are set");
        }
    }

    /**
     * Validates the fields that say which nodes reach a device, and returns those that are given.
     *
     * @param all whether they are for all devices of the slice
     */
    private static List<String> nodeFields(Field holder, boolean all) {
        List<String> given = new ArrayList<>();
        Field name = holder.at("nodeName");
        if (!name.text().isEmpty()) {
            given.add("`nodeName`");
            name.obeys(Names::subdomain);
        } else if (name.given()) {
            name.invalid(all ? "must be either unset or set to a non-empty string" : "must not be empty");
        }
        Field selector = holder.at("nodeSelector");
        if (selector.given()) {
            given.add("`nodeSelector`");
            SchedulingRules.nodeSelector(selector, false);
            Field terms = selector.at("nodeSelectorTerms");
            if (all && terms.array().size() != 1) {
                terms.invalidText(
                        terms.items().stream()
                                .map(term -> InternalForm.text("core.v1.NodeSelectorTerm", term.value()))
                                .toList()
                                .toString()
                                .replace(", {", ",{"),
                        "must have exactly one node selector term");
            }
        }
        flag(holder, "allNodes", given);
        return given;
    }

    /** Adds a flag to the fields that are given; it may not be false. */
    private static void flag(Field holder, String name, List<String> given) {
        Field flag = holder.at(name);
        if (SecurityContextRules.isTrue(flag)) {
            given.add("`" + name + "`");
        } else if (flag.given()) {
            flag.invalid("must be either unset or set to true");
        }
    }

    private static void devices(Field spec, List<JsonObject> old) {
        Field devices = spec.at("devices");
        boolean perDevice = SecurityContextRules.isTrue(spec.at("perDeviceNodeSelection"));
        boolean limited = devices.items().stream()
                .anyMatch(device -> !device.at("taints").array().isEmpty()
                        || !device.at("consumesCounters").array().isEmpty());
        Map<String, JsonObject> former = new HashMap<>();
        old.forEach(device -> former.put(device.string("name"), device));
        DeviceRules.set(
                devices,
                limited ? MOST_WITH_TAINTS : MOST_DEVICES,
                device -> device(device, former.get(device.at("name").text()), perDevice),
                device -> device.at("name").text());
    }

    private static void device(Field device, @Nullable JsonObject old, boolean perDevice) {
        device.at("name").obeys(Names::label);
        Field attributes = device.at("attributes");
        Field capacities = device.at("capacity");
        int properties = attributes.object().size() + capacities.object().size();
        if (properties > MOST_PROPERTIES) {
            device.invalid(
                    (long) properties,
                    "the total number of attributes and capacities must not exceed " + MOST_PROPERTIES);
        }
        attributes.object().keySet().forEach(name -> {
            DeviceRules.qualified(attributes, name);
            attribute(attributes.entry(name));
        });
        boolean shared = SecurityContextRules.isTrue(device.at("allowMultipleAllocations"));
        capacities.object().keySet().forEach(name -> {
            DeviceRules.qualified(capacities, name);
            CapacityRules.validate(capacities.entry(name), shared);
        });
        if (old == null || !device.at("taints").array().equals(old.array("taints"))) {
            DeviceRules.each(device.at("taints"), MOST_TAINTS, DeviceRules::taint);
        }
        DeviceRules.set(
                device.at("consumesCounters"),
                MOST_CONSUMPTIONS,
                consumption -> counters(consumption, "counterSet"),
                consumption -> consumption.at("counterSet").text());
        deviceNodes(device, perDevice);
        DeviceRules.bindings(device);
    }

    private static void deviceNodes(Field device, boolean perDevice) {
        if (perDevice) {
            List<String> given = nodeFields(device, false);
            if (given.isEmpty()) {
                device.missing(PER_DEVICE);
            } else if (given.size() > 1) {
                device.invalid("{" + String.join(", ", given) + "}", PER_DEVICE);
            }
        } else if (device.at("nodeName").given()
                || device.at("nodeSelector").given()
                || device.at("allNodes").given()) {
            device.invalid(
                    null,
                    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true"
                            + " in the ResourceSlice spec");
        }
    }

    private static void attribute(Field attribute) {
        long values = attribute.object().values().stream()
                .filter(value -> value != null)
                .count();
        Field text = attribute.at("string");
        Field version = attribute.at("version");
        if (version.given() && !VERSION.matcher(version.text()).matches()) {
            version.invalid("must be a string compatible with semver.org spec 2.0.0");
        }
        for (Field value : List.of(text, version)) {
            if (Names.bytes(value.text()) > LONGEST_VALUE) {
                value.tooLong(LONGEST_VALUE);
            }
        }
        if (values == 0) {
            attribute.invalid("", "exactly one value must be specified");
        } else if (values > 1) {
            attribute.invalidText(
                    InternalForm.text("resource.v1.DeviceAttribute", attribute.value()),
                    "exactly one value must be specified");
        }
    }

    /** Validates counters, and the name of their set in a field of the same object. */
    private static void counters(Field holder, String name) {
        holder.at(name).require(Names::label);
        Field counters = holder.at("counters");
        int count = counters.object().size();
        if (count == 0) {
            counters.missing();
        } else if (count > MOST_COUNTERS) {
            counters.tooMany(count, MOST_COUNTERS);
        } else {
            counters.object()
                    .keySet()
                    .forEach(key -> Names.label(key).forEach(detail -> counters.invalid(key, detail)));
        }
    }
}
