package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The subresources that support only POST: {@code pods/binding} and {@code pods/eviction}. */
public record Subresources(Verbs verbs) {
    public Reply create(Target target, Body body, WriteOptions options) {
        if (target.type().id().equals("pods")) {
            switch (target.subresource()) {
                case "binding" -> {
                    return bind(target, body, options);
                }
                case "eviction" -> {
                    return evict(target, body, options);
                }
                default -> {}
            }
        }
        throw Refusal.noSuchMethod();
    }

    private Reply bind(Target target, Body body, WriteOptions options) {
        String node = Json.string(parse(body), "target", "name");
        Target binding = new Target(target.type(), target.version(), target.namespace(), target.name(), "binding");
        verbs.updating().change(binding, options, live -> {
            Map<String, @Nullable Object> pod = UpdateVerb.present(live, target);
            Map<String, @Nullable Object> spec = Json.asObject(pod.get("spec"));
            String present = Json.string(spec, "nodeName");
            if (!present.isEmpty()) {
                throw ApiException.of(Status.of(
                        409,
                        "Conflict",
                        "Operation cannot be fulfilled on pods/binding \"" + target.name() + "\": pod " + target.name()
                                + " is already assigned to node \"" + present + "\"",
                        Status.Details.of(target.name(), "", "pods/binding")));
            }
            spec.put("nodeName", node);
            scheduled(pod);
            return Wanted.owned(pod, List.of());
        });
        return new Reply.Success(201, Status.Details.EMPTY, List.of());
    }

    private void scheduled(Map<String, @Nullable Object> pod) {
        Object status = pod.get("status");
        Map<String, @Nullable Object> map = status instanceof Map<?, ?> ? Json.asObject(status) : new LinkedHashMap<>();
        pod.put("status", map);
        List<@Nullable Object> conditions =
                map.get("conditions") instanceof List<?> list ? new ArrayList<>(list) : new ArrayList<>();
        conditions.removeIf(condition -> Json.string(condition, "type").equals("PodScheduled"));
        Map<String, @Nullable Object> condition = new LinkedHashMap<>();
        condition.put("type", "PodScheduled");
        condition.put("status", "True");
        condition.put("lastProbeTime", null);
        condition.put("lastTransitionTime", verbs.cluster().now());
        conditions.add(condition);
        map.put("conditions", conditions);
    }

    private Reply evict(Target target, Body body, WriteOptions options) {
        Map<String, @Nullable Object> eviction = parse(body);
        Object grace = Json.at(eviction, "deleteOptions", "gracePeriodSeconds");
        verbs.deleting()
                .delete(
                        new Target(target.type(), target.version(), target.namespace(), target.name(), ""),
                        new DeleteOptions(
                                Optional.empty(),
                                Optional.empty(),
                                grace instanceof Long seconds ? OptionalLong.of(seconds) : OptionalLong.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                options.fence()));
        return new Reply.Success(201, Status.Details.EMPTY, List.of());
    }

    private Map<String, @Nullable Object> parse(Body body) {
        try {
            return Json.parseObject(body.bytes(), verbs.cluster().limits());
        } catch (dev.evenkeel.engine.internal.json.JsonException e) {
            throw Refusal.badRequest(String.valueOf(e.getMessage()));
        }
    }
}
