package dev.evenkeel.engine.internal.service;

import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.cel.PolicyExpressions;
import dev.evenkeel.engine.internal.cel.PolicyTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.ApplyVerb;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks the expressions of validating admission policies against the types of the resources that they are for, and
 * reports in the status of the policy those that do not fit. Resources named by wildcards are not checked.
 */
public final class PolicyTypeChecks implements WriteContext.Services {
    private static final String ID = "validatingadmissionpolicies.admissionregistration.k8s.io";
    private static final String MANAGER = "validatingadmissionpolicy-status";
    private static final int MOST_TYPES = 10;

    private final SerialQueue queue;
    private final Verbs verbs;
    private final ApplyVerb applying;
    private final Set<String> pending = ConcurrentHashMap.newKeySet();

    /** Creates the service of a partition. */
    public PolicyTypeChecks(SerialQueue queue, Verbs verbs, ApplyVerb applying) {
        this.queue = queue;
        this.verbs = verbs;
        this.applying = applying;
    }

    private WriteContext cluster() {
        return verbs.cluster();
    }

    @Override
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (current != null && key.collection().endsWith("/" + ID)) {
            look(key.name());
        }
    }

    /** Checks the policies that were not checked yet. */
    public void resume() {
        cluster().objects(ID, "").forEach(policy -> look(policy.string("metadata", "name")));
    }

    private void look(String name) {
        if (verbs.leadership().held() && pending.add(name)) {
            queue.add(() -> {
                pending.remove(name);
                check(name);
            });
        }
    }

    private void check(String name) {
        JsonObject policy = cluster().object(ID, "", name).orElse(null);
        if (policy == null) {
            return;
        }
        long generation = policy.integer("metadata", "generation");
        if (generation <= policy.integer("status", "observedGeneration")) {
            return;
        }
        Target type = cluster()
                .types()
                .get()
                .kind("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy")
                .orElseThrow();
        Target status = new Target(type.type(), type.version(), "", name, "status");
        JsonObject checked = new JsonObject().setUnlessEmpty("expressionWarnings", warnings(policy.object("spec")));
        JsonObject wanted = JsonObject.of(
                        "apiVersion", type.apiVersion(), "kind", type.type().kind())
                .set("metadata", JsonObject.of("name", name))
                .set("status", JsonObject.of("observedGeneration", generation, "typeChecking", checked));
        Body body = Body.of(wanted, 0);
        try {
            WriteOptions options = WriteOptions.of(MANAGER).withForce(true);
            verbs.fenced(fence -> applying.apply(status, body, options.withFence(fence)));
        } catch (NotFoundException e) {
            // Gone already.
        }
    }

    private List<@Nullable Object> warnings(JsonObject spec) {
        List<Target> types = types(spec);
        JsonObject kind = spec.object("paramKind");
        Optional<Schema> params = cluster()
                .types()
                .get()
                .kind(kind.string("apiVersion"), kind.string("kind"))
                .map(target -> target.version().schema());
        List<PolicyExpressions.Variable> variables = spec.objects("variables").stream()
                .map(variable -> new PolicyExpressions.Variable(variable.string("name"), variable.string("expression")))
                .toList();
        List<JsonObject> validations = spec.objects("validations");
        List<@Nullable Object> warnings = new ArrayList<>();
        for (int i = 0; i < validations.size(); i++) {
            for (String field : List.of("expression", "messageExpression")) {
                String expression = validations.get(i).string(field);
                List<String> lines = new ArrayList<>();
                for (Target type : expression.isEmpty() ? List.<Target>of() : types) {
                    String error = new PolicyTypes(type.version().schema(), params, !kind.isEmpty(), variables)
                            .error(expression);
                    if (!error.isEmpty()) {
                        lines.add(type.type().group() + "/" + type.version().name() + ", Kind="
                                + type.type().kind() + ": " + error + "\n");
                    }
                }
                if (!lines.isEmpty()) {
                    warnings.add(JsonObject.of(
                            "fieldRef", "spec.validations[" + i + "]." + field, "warning", String.join("\n", lines)));
                }
            }
        }
        return warnings;
    }

    /** Returns the resources that the rules of a policy name, by group, version and kind. */
    private List<Target> types(JsonObject spec) {
        Set<Target> found = new TreeSet<>(
                Comparator.comparing((Target target) -> target.type().group())
                        .thenComparing(target -> target.version().name())
                        .thenComparing(target -> target.type().kind()));
        for (JsonObject rule : spec.objects("matchConstraints", "resourceRules")) {
            List<String> groups = rule.strings("apiGroups");
            List<String> versions = rule.strings("apiVersions");
            if (groups.toString().contains("*") || versions.toString().contains("*")) {
                continue;
            }
            int number = 0;
            for (String group : groups.stream().sorted().toList()) {
                for (String version : versions.stream().sorted().toList()) {
                    for (String resource :
                            rule.strings("resources").stream().sorted().toList()) {
                        Optional<Target> type = cluster().types().get().resource(group, version, resource);
                        type.ifPresent(found::add);
                        number += type.isPresent() ? 1 : 0;
                        if (number == MOST_TYPES) {
                            return List.copyOf(found);
                        }
                    }
                }
            }
        }
        return List.copyOf(found);
    }
}
