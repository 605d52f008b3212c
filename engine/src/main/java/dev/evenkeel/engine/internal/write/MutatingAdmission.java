package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.admission.HookSteps;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.admission.Reinvocation;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.plugin.Plugins;

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
        Reinvocation reinvocation = new Reinvocation();
        pass(write, reinvocation);
        if (reinvocation.begin()) {
            pass(write, reinvocation);
        }
    }

    private void pass(Write write, Reinvocation reinvocation) {
        plugins.mutate(write);
        hooks.mutate(write);
        policies.mutate(write, reinvocation);
    }
}
