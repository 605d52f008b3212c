package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules of the status of a pod that changes, in upstream's order. */
final class PodStatusRules {
    private static final Set<String> SYSTEM = Set.of("PodScheduled", "Ready", "Initialized");

    private final Field root;
    private final Field status;
    private final JsonObject old;

    PodStatusRules(Field root, JsonObject old) {
        this.root = root;
        this.status = root.at("status");
        this.old = old;
    }

    void validate() {
        for (Field condition : status.at("conditions").items()) {
            Field type = condition.at("type");
            if (!SYSTEM.contains(type.text())) {
                condition.with("Type", type.value()).obeys(Names::qualified);
            }
        }
        Field nominated = status.at("nominatedNodeName");
        if (!nominated.text().equals(old.string("status", "nominatedNodeName"))) {
            nominated.requireIfGiven(Names::subdomain);
        }
        Field quality = status.at("qosClass");
        if (!Objects.equals(quality.value(), old.at("status", "qosClass"))) {
            quality.invalid(quality.text(), Field.IMMUTABLE);
        }
        restarts("containerStatuses", "containers");
        restarts("initContainerStatuses", "initContainers");
        addresses("podIPs", "core.v1.PodIP");
        if (!status.at("hostIPs").array().isEmpty()) {
            Field first = status.at("hostIPs").items().getFirst().at("ip");
            if (!status.at("hostIP").text().equals(first.text())) {
                first.invalid("must be equal to `hostIP`");
            }
            addresses("hostIPs", "core.v1.HostIP");
        }
    }

    /** A container that has ended and is not started again stays so. */
    private void restarts(String statuses, String containers) {
        String policy = old.string("spec", "restartPolicy");
        if (policy.equals("Always")) {
            return;
        }
        Set<String> sidecars = old.objects("spec", containers).stream()
                .filter(container -> container.string("restartPolicy").equals("Always"))
                .map(container -> container.string("name"))
                .collect(Collectors.toSet());
        List<JsonObject> former = old.objects("status", statuses);
        for (int i = 0; i < former.size(); i++) {
            JsonObject was = former.get(i);
            String name = was.string("name");
            boolean failed = was.integer("state", "terminated", "exitCode") != 0;
            if (!was.has("state", "terminated") || sidecars.contains(name) || (failed && policy.equals("OnFailure"))) {
                continue;
            }
            boolean runsAgain = root.object().objects("status", statuses).stream()
                    .anyMatch(now -> now.string("name").equals(name) && !now.has("state", "terminated"));
            if (runsAgain) {
                status.at(statuses)
                        .with("[" + i + "]", null)
                        .at("state")
                        .forbidden("may not be transitioned to non-terminated state");
            }
        }
    }

    private void addresses(String list, String type) {
        Field addresses = status.at(list);
        List<Field> items = addresses.items();
        for (Field item : items) {
            String ip = item.at("ip").text();
            FormatRules.ip(ip).forEach(detail -> item.invalid(ip, detail));
        }
        long six = items.stream()
                .filter(item -> item.at("ip").text().contains(":"))
                .count();
        if (items.size() > 2 || (items.size() == 2 && six != 1)) {
            addresses.invalidText(
                    items.stream()
                            .map(item -> InternalForm.text(type, item.value()))
                            .collect(Collectors.joining(",", "[", "]")),
                    "may specify no more than one IP for each IP family");
        }
        Set<String> seen = new HashSet<>();
        for (Field item : items) {
            if (!seen.add(item.at("ip").text())) {
                item.duplicateText(InternalForm.text(type, item.value()));
            }
        }
    }
}
