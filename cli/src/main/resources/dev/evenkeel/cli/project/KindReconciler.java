package {{package}};

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciler;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Optional;

/** Keeps the text of each {@link {{Kind}}} in a ConfigMap of its name. */
public final class {{Kind}}Reconciler implements Reconciler<{{Kind}}> {
    private static final WriteOptions WRITE =
            WriteOptions.DEFAULT.withFieldManager("{{project}}").withForce(true);

    /** The controller, for a manager to run. */
    public static Controller<{{Kind}}> controller() {
        return Controller.of({{Kind}}.class, new {{Kind}}Reconciler()).owns(ConfigMap.class);
    }

    @Override
    public Result reconcile(Reconciliation<{{Kind}}> reconciliation) {
        Optional<{{Kind}}> resource = reconciliation.resource();
        if (resource.isEmpty() || resource.get().isMarkedForDeletion()) {
            return Result.done();
        }
        {{Kind}} {{kind}} = resource.get();
        // says what is wanted, each time; what is so already is not written again
        reconciliation.client().apply(text({{kind}}), WRITE);
        ready(reconciliation, {{kind}});
        return Result.done();
    }

    private static ConfigMap text({{Kind}} {{kind}}) {
        ConfigMap text = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace({{kind}}.getMetadata().getNamespace())
                .withName({{kind}}.getMetadata().getName())
                .endMetadata()
                .addToData("text", {{kind}}.getSpec().text())
                .build();
        // wakes us when somebody changes it, and goes when its owner goes
        OwnerReferences.control({{kind}}, text);
        return text;
    }

    private static void ready(Reconciliation<{{Kind}}> reconciliation, {{Kind}} {{kind}}) {
        long generation = {{kind}}.getMetadata().getGeneration();
        List<Condition> before =
                Optional.ofNullable({{kind}}.getStatus()).map({{Kind}}Status::conditions).orElse(List.of());
        Condition ready = Conditions.condition("Ready", true, generation, "AsWanted", "the text is there");
        {{kind}}.setStatus(new {{Kind}}Status(
                generation,
                Conditions.with(before, ready, reconciliation.clock().instant())));
        reconciliation.updateStatus({{kind}});
    }
}
