package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.AdmissionCaller;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The policies and webhooks of a partition, as far as their plugins are on. */
public record PolicyAdmission(
        Optional<MutatingPolicies> mutatingPolicies,
        Optional<Webhooks> mutatingWebhooks,
        Optional<ValidatingPolicies> validatingPolicies,
        Optional<Webhooks> validatingWebhooks) {
    /** @param caller calls webhooks; empty when none are called */
    public static PolicyAdmission of(
            WriteContext cluster,
            Permissions permissions,
            Optional<AdmissionCaller> caller,
            Set<AdmissionPlugin> enabled) {
        Webhooks webhooks = new Webhooks(cluster, permissions, caller);
        return new PolicyAdmission(
                on(enabled, AdmissionPlugin.MUTATING_ADMISSION_POLICY, new MutatingPolicies(cluster, permissions)),
                on(enabled, AdmissionPlugin.MUTATING_ADMISSION_WEBHOOK, webhooks),
                on(enabled, AdmissionPlugin.VALIDATING_ADMISSION_POLICY, new ValidatingPolicies(cluster, permissions)),
                on(enabled, AdmissionPlugin.VALIDATING_ADMISSION_WEBHOOK, webhooks));
    }

    private static <T> Optional<T> on(Set<AdmissionPlugin> enabled, AdmissionPlugin plugin, T rule) {
        return enabled.contains(plugin) ? Optional.of(rule) : Optional.empty();
    }

    /** Lets policies and webhooks change an object. */
    public void mutate(Write write, Reinvocation reinvocation) {
        mutatingPolicies.ifPresent(all -> AdmissionStep.run(
                write, AdmissionPlugin.MUTATING_ADMISSION_POLICY, true, () -> all.mutate(write, reinvocation)));
        mutatingWebhooks.ifPresent(all -> AdmissionStep.run(
                write, AdmissionPlugin.MUTATING_ADMISSION_WEBHOOK, true, () -> all.mutate(write, reinvocation)));
    }

    /** Lets policies and webhooks refuse an object. */
    public void validate(Write write) {
        validatingPolicies.ifPresent(all -> AdmissionStep.run(
                write, AdmissionPlugin.VALIDATING_ADMISSION_POLICY, false, () -> all.validate(write)));
        validatingWebhooks.ifPresent(all -> AdmissionStep.run(
                write, AdmissionPlugin.VALIDATING_ADMISSION_WEBHOOK, false, () -> all.validate(write)));
    }

    /**
     * The outcome of an admission by policies and webhooks.
     *
     * @param value the document as they have changed it, or what was made of it
     * @param warnings their warnings for the client
     */
    public record Admitted<T>(T value, List<String> warnings) {}

    /**
     * Lets policies and webhooks change a document that is posted to a subresource, and then refuse it.
     *
     * @param check makes of the changed document what it asks for, or refuses it, before others may
     */
    public <T> Admitted<T> admit(
            Target target, JsonObject document, WriteOptions options, Function<JsonObject, T> check) {
        return admit(Operation.CREATE, target, document, options, check);
    }

    /** Returns the options of a connection as policies and webhooks change them; they may refuse it. */
    public Admitted<JsonObject> connect(Target target, JsonObject connection, WriteOptions options) {
        return admit(Operation.CONNECT, target, connection, options, changed -> changed);
    }

    private <T> Admitted<T> admit(
            Operation operation,
            Target target,
            JsonObject document,
            WriteOptions options,
            Function<JsonObject, T> check) {
        Write write = new Write(operation, target, null, null, live -> Wanted.of(document, List.of()), options, true);
        write.decode();
        Reinvocation reinvocation = new Reinvocation();
        try {
            mutate(write, reinvocation);
            if (reinvocation.begin()) {
                mutate(write, reinvocation);
            }
            T value = check.apply(write.tree());
            validate(write);
            return new Admitted<>(value, write.warnings().stream().distinct().toList());
        } catch (ApiException refusal) {
            throw RefusalWarnings.attach(refusal, write.warnings());
        }
    }
}
