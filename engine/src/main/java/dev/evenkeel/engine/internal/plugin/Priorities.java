package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/** The plugin Priority: gives pods the priority of their class, and keeps the default class unique. */
record Priorities(WriteContext cluster) implements Plugin {
    private static final String CLASSES = "priorityclasses.scheduling.k8s.io";
    private static final String NAME = "priorityClassName";
    private static final String PRIORITY = "priority";
    private static final String PREEMPTION = "preemptionPolicy";

    @Override
    public Set<String> types() {
        return Set.of("pods", CLASSES);
    }

    private Optional<JsonObject> defaultClass() {
        return cluster.objects(CLASSES, "").stream()
                .filter(each -> each.bool("globalDefault"))
                .min(Comparator.comparingLong(each -> each.integer("value")));
    }

    @Override
    public void mutate(Write write) {
        if (write.target().type().id().equals(CLASSES)
                || !write.target().subresource().isEmpty()) {
            return;
        }
        JsonObject spec = write.tree().withObject("spec");
        JsonObject old = write.old();
        if (write.operation() == Operation.CREATE) {
            create(write, spec);
        } else if (old != null) {
            for (String kept : new String[] {PRIORITY, PREEMPTION}) {
                if (!spec.has(kept)) {
                    spec.copyMember(kept, old.object("spec"));
                }
            }
        }
    }

    private void create(Write write, JsonObject spec) {
        String name = spec.string(NAME);
        JsonObject found;
        if (name.isEmpty()) {
            found = defaultClass().orElseGet(() -> JsonObject.of(PREEMPTION, "PreemptLowerPriority"));
            spec.setUnlessEmpty(NAME, found.string("metadata", "name"));
        } else {
            found = cluster.object(CLASSES, "", name)
                    .orElseThrow(() -> Plugin.refuse(write, "no PriorityClass with name " + name + " was found"));
        }
        long priority = found.integer("value");
        if (spec.has(PRIORITY) && spec.integer(PRIORITY) != priority) {
            throw Plugin.refuse(
                    write,
                    "the integer value of priority (" + spec.integer(PRIORITY)
                            + ") must not be provided in pod spec; priority admission controller computed " + priority
                            + " from the given PriorityClass name");
        }
        spec.put(PRIORITY, priority);
        String preemption = found.string(PREEMPTION);
        if (!preemption.isEmpty()) {
            String given = spec.string(PREEMPTION);
            if (!given.isEmpty() && !given.equals(preemption)) {
                throw Plugin.refuse(
                        write,
                        "the string value of PreemptionPolicy (" + given
                                + ") must not be provided in pod spec; priority admission controller computed "
                                + preemption + " from the given PriorityClass name");
            }
            spec.put(PREEMPTION, preemption);
        }
    }

    @Override
    public void validate(Write write) {
        if (write.target().type().id().equals(CLASSES) && write.tree().bool("globalDefault")) {
            defaultClass()
                    .map(present -> present.string("metadata", "name"))
                    .filter(present -> write.operation() == Operation.CREATE
                            || !present.equals(write.tree().string("metadata", "name")))
                    .ifPresent(present -> {
                        throw Plugin.refuse(
                                write,
                                "PriorityClass " + present
                                        + " is already marked as default. Only one default can exist");
                    });
        }
    }
}
