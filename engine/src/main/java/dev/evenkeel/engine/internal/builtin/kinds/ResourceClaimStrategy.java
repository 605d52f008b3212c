package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Resource claims, whose specification never changes. */
record ResourceClaimStrategy(KindFacts facts) implements KindStrategy {
    private static final int MOST_CONSUMERS = 256;
    private static final int MOST_RESULTS = 32;
    private static final int MOST_CONDITIONS = 8;
    private static final int MOST_ADDRESSES = 16;
    private static final int LONGEST_DATA = 10 * 1024;

    @Override
    public void validate(Field root) {
        DeviceRules.claim(root.at("spec"));
    }

    @Override
    public List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource, Context context) {
        List<FieldError> errors = new ArrayList<>();
        if (old == null) {
            errors.addAll(AdminAccess.ofRequests(tree, tree.object("spec"), context));
        } else if (subresource.equals("status")) {
            errors.addAll(AdminAccess.ofResults(tree, old, context));
        }
        errors.addAll(validate(tree, old, subresource));
        return errors;
    }

    @Override
    public boolean validatesWhole() {
        return false;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field spec = root.at("spec");
        if (!spec.object().equals(old.object("spec"))) {
            spec.invalidText(InternalForm.text("resource.v1.ResourceClaimSpec", spec.value()), Field.IMMUTABLE);
        }
    }

    /** Removes the statuses of devices that are no longer allocated. */
    @Override
    public void prepareForStatusUpdate(JsonObject tree, JsonObject old, Context context) {
        Set<String> gone = allocated(old);
        gone.removeAll(allocated(tree));
        JsonObject status = tree.object("status");
        List<JsonObject> devices = status.objects("devices");
        List<JsonObject> kept = devices.stream()
                .filter(device -> !gone.contains(deviceName(device)))
                .toList();
        if (kept.isEmpty()) {
            status.remove("devices");
        } else if (kept.size() < devices.size()) {
            status.put("devices", new ArrayList<>(kept));
        }
    }

    private static Set<String> allocated(JsonObject claim) {
        return claim.object("status", "allocation", "devices").objects("results").stream()
                .map(ResourceClaimStrategy::deviceName)
                .collect(Collectors.toSet());
    }

    private static String deviceName(JsonObject device) {
        return String.join(
                "/", device.string("driver"), device.string("pool"), device.string("device"), device.string("shareID"));
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        Field status = root.at("status");
        Field allocation = status.at("allocation");
        Field consumers = status.at("reservedFor");
        DeviceRules.set(
                consumers,
                MOST_CONSUMERS,
                consumer -> {
                    consumer.at("resource").require();
                    consumer.at("name").require();
                    consumer.at("uid").require();
                },
                consumer -> consumer.at("uid").text());
        devices(status.at("devices"), allocation);
        if (!consumers.array().isEmpty()) {
            if (!allocation.given()) {
                consumers.forbidden("may not be specified when `allocated` is not set");
            } else if (root.object().has("metadata", "deletionTimestamp")
                    && !old.array("status", "reservedFor").containsAll(consumers.array())) {
                consumers.forbidden("new entries may not be added while `deallocationRequested` or `deletionTimestamp`"
                        + " are set");
            }
        }
        if (allocation.given() && old.has("status", "allocation")) {
            if (!allocation.object().equals(old.object("status", "allocation"))) {
                allocation.invalidText(
                        InternalForm.text("resource.v1.AllocationResult", allocation.value()), Field.IMMUTABLE);
            }
        } else if (allocation.given()) {
            allocation(allocation, DeviceRules.requestNames(root.object().object("spec", "devices")));
        }
    }

    /** Returns what identifies a device, as errors show it. */
    private static String id(Field device) {
        return Json.text(new JsonObject()
                .set("Driver", device.at("driver").text())
                .set("Pool", device.at("pool").text())
                .set("Device", device.at("device").text())
                .set("ShareID", device.at("shareID").text()));
    }

    private static void devices(Field devices, Field allocation) {
        Set<String> allocated = new HashSet<>();
        allocation.at("devices", "results").items().forEach(result -> allocated.add(id(result)));
        DeviceRules.set(
                devices, -1, device -> device(device, allocated), ResourceClaimStrategy::id, Field::duplicateText);
    }

    private static void device(Field device, Set<String> allocated) {
        VolumeRules.csiDriver(device.at("driver"));
        DeviceRules.pool(device.at("pool"));
        device.at("device").obeys(Names::label);
        DeviceRules.share(device.at("shareID"));
        if (!allocated.contains(id(device))) {
            device.invalidText(id(device), "must be an allocated device in the claim");
        }
        Field conditions = device.at("conditions");
        if (conditions.array().size() > MOST_CONDITIONS) {
            conditions.tooMany(conditions.array().size(), MOST_CONDITIONS);
        }
        ConditionRules.validate(conditions);
        if (device.at("data").given()) {
            DeviceRules.parameters(device.at("data"), LONGEST_DATA);
        }
        network(device.at("networkData"));
    }

    private static void network(Field data) {
        for (Map.Entry<String, Integer> limit :
                List.of(Map.entry("interfaceName", 256), Map.entry("hardwareAddress", 128))) {
            if (Names.bytes(data.at(limit.getKey()).text()) > limit.getValue()) {
                data.at(limit.getKey()).tooLong(limit.getValue());
            }
        }
        DeviceRules.set(data.at("ips"), MOST_ADDRESSES, ResourceClaimStrategy::address, Field::text);
    }

    private static void address(Field address) {
        String text = address.text();
        if (!IpLiterals.isPrefix(text)) {
            address.invalid("must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)");
            return;
        }
        int slash = text.indexOf('/');
        String canonical =
                IpLiterals.canonical(text.substring(0, slash)) + "/" + Integer.parseInt(text.substring(slash + 1));
        if (!text.equals(canonical)) {
            address.invalid("must be in canonical form (\"" + canonical + "\")");
        }
    }

    private static void allocation(Field allocation, Map<String, Set<String>> names) {
        Field devices = allocation.at("devices");
        DeviceRules.each(devices.at("results"), MOST_RESULTS, result -> {
            DeviceRules.reference(result.at("request"), names);
            VolumeRules.csiDriver(result.at("driver"));
            DeviceRules.pool(result.at("pool"));
            result.at("device").obeys(Names::label);
            DeviceRules.bindings(result);
            DeviceRules.share(result.at("shareID"));
        });
        DeviceRules.each(devices.at("config"), 2 * DeviceRules.MOST_CONFIGURATIONS, config -> {
            if (config.at("source").require()) {
                config.at("source").oneOf("FromClaim", "FromClass");
            }
            DeviceRules.references(config.at("requests"), names);
            DeviceRules.configuration(config);
        });
        if (allocation.at("nodeSelector").given()) {
            SchedulingRules.nodeSelector(allocation.at("nodeSelector"), false);
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.claimState(column, tree);
    }
}
