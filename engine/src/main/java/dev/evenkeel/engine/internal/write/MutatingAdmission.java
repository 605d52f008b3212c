package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.admission.AdmissionStep;
import dev.evenkeel.engine.internal.admission.HookSteps;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.admission.Reinvocation;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.apply.FieldOwnership;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.plugin.Plugins;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything that may change an object on its way: the plugins, the hooks of the program, the policies, the webhooks; and
 * all of them again, as far as they want it, if a policy or a webhook changed it.
 */
record MutatingAdmission(Plugins plugins, HookSteps hooks, PolicyAdmission policies) implements WriteStep {
    @Override
    public String name() {
        return "mutating admission";
    }

    @Override
    public void run(Write write) {
        Object owners = write.metadata().get("managedFields");
        AdmissionStep.run(write, true, () -> {
            Reinvocation reinvocation = new Reinvocation();
            pass(write, reinvocation);
            if (reinvocation.begin()) {
                pass(write, reinvocation);
            }
        });
        if (!Objects.equals(write.metadata().get("managedFields"), owners)) {
            restore(write, owners);
        }
    }

    /** Restores the owners of fields if admission left entries that cannot be read. */
    private static void restore(Write write, @Nullable Object owners) {
        FieldOwnership.problem(write.metadata().array("managedFields")).ifPresent(problem -> {
            write.metadata().setOrRemove("managedFields", Json.array(owners));
            write.warnings()
                    .add(".metadata.managedFields was in an invalid state after admission; this could be caused by an"
                            + " outdated mutating admission controller; please fix your requests: " + problem);
        });
    }

    private void pass(Write write, Reinvocation reinvocation) {
        plugins.mutate(write);
        hooks.mutate(write);
        policies.mutate(write, reinvocation);
    }
}
