package {{package}};

import dev.evenkeel.controller.Controller;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.child.ChildReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Optional;

/** Keeps the text of each {@link {{Kind}}} in a ConfigMap of its name. */
public final class {{Kind}}Reconciler {
    /** The conditions that {@code Ready} summarizes. */
    private static final ConditionSet CONDITIONS = ConditionSet.living("TextKept");

    private {{Kind}}Reconciler() {}

    /** Returns the controller, for a manager to run. */
    public static Controller<{{Kind}}> controller() {
        return ResourceReconciler.of({{Kind}}.class)
                .name("{{Kind}}")
                .conditions(CONDITIONS)
                .reconciler(text())
                .build()
                .controller();
    }

    /** Maintains the ConfigMap, and reports its state in the status. */
    private static Part<{{Kind}}> text() {
        return ChildReconciler.of({{Kind}}.class, ConfigMap.class)
                .name("text")
                .desired((reconciliation, {{kind}}) -> Optional.of(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace({{kind}}.getMetadata().getNamespace())
                        .withName({{kind}}.getMetadata().getName())
                        .endMetadata()
                        .addToData("text", {{kind}}.getSpec().text())
                        .build()))
                .merge((actual, desired) -> actual.setData(desired.getData()))
                .reflect((reconciliation, {{kind}}, result) -> {
                    ConditionManager conditions = CONDITIONS.manage(reconciliation, {{kind}});
                    result.error()
                            .ifPresentOrElse(
                                    error -> conditions.markFalse("TextKept", result.reason(), "%s", error.getMessage()),
                                    () -> conditions.markTrue("TextKept", "Kept"));
                })
                .build();
    }
}
