package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.internal.admission.AdmissionPlugin;
import dev.evenkeel.engine.internal.admission.AdmissionStep;
import dev.evenkeel.engine.internal.admission.HookSteps;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.plugin.Plugins;
import dev.evenkeel.engine.internal.plugin.ResourceQuotas;
import java.util.Optional;

/**
 * Everything that may refuse a valid object: the hooks of the program, the plugins, the policies, the webhooks; and the
 * quotas, which count what nothing else refuses.
 *
 * @param quotas empty if they are not enforced
 */
record ValidatingAdmission(Plugins plugins, HookSteps hooks, PolicyAdmission policies, Optional<ResourceQuotas> quotas)
        implements WriteStep {
    @Override
    public String name() {
        return "validating admission";
    }

    @Override
    public void run(Write write) {
        AdmissionStep.run(write, false, () -> {
            hooks.validate(write);
            plugins.validate(write);
            policies.validate(write);
            quotas.ifPresent(
                    all -> AdmissionStep.run(write, AdmissionPlugin.RESOURCE_QUOTA, false, () -> all.charge(write)));
        });
    }
}
