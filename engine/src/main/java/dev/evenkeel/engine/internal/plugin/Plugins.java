package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.AdmissionPlugin;
import dev.evenkeel.engine.internal.admission.AdmissionStep;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The enabled plugins about single kinds, in the order of {@link AdmissionPlugin}. A write of another kind costs a look-up. */
public final class Plugins {
    private final Map<String, List<Enabled>> byType = new HashMap<>();

    /** A plugin, and what it implements. */
    private record Enabled(AdmissionPlugin name, Plugin plugin) {}

    /**
     * Creates the enabled plugins.
     *
     * @param permissions of the users of the partition
     * @param defaultAccount creates the service account {@code default} of a namespace, if that is the task of this engine
     */
    public Plugins(
            WriteContext cluster,
            Permissions permissions,
            Set<AdmissionPlugin> enabled,
            Consumer<String> defaultAccount) {
        Stream.of(AdmissionPlugin.values())
                .filter(enabled::contains)
                .flatMap(each ->
                        plugin(each, cluster, permissions, defaultAccount).map(plugin -> new Enabled(each, plugin)))
                .forEach(one -> one.plugin()
                        .types()
                        .forEach(type -> byType.computeIfAbsent(type, unused -> new ArrayList<>())
                                .add(one)));
    }

    private static Stream<Plugin> plugin(
            AdmissionPlugin plugin, WriteContext cluster, Permissions permissions, Consumer<String> defaultAccount) {
        return switch (plugin) {
            case LIMIT_RANGER -> Stream.of(new LimitRanges(cluster));
            case SERVICE_ACCOUNT -> Stream.of(new ServiceAccounts(cluster, defaultAccount));
            case POD_SECURITY -> Stream.of(new PodSecurity(cluster));
            case POD_NODE_SELECTOR -> Stream.of(new NodeSelectors(cluster));
            case PRIORITY -> Stream.of(new Priorities(cluster));
            case DEFAULT_TOLERATION_SECONDS -> Stream.of(new DefaultTolerations());
            case DEFAULT_STORAGE_CLASS -> Stream.of(DefaultClasses.ofStorage(cluster));
            case PERSISTENT_VOLUME_CLAIM_RESIZE -> Stream.of(new ClaimResize(cluster));
            case RUNTIME_CLASS -> Stream.of(new RuntimeClasses(cluster));
            case CERTIFICATE_APPROVAL -> Stream.of(Signers.approving(permissions));
            case CERTIFICATE_SIGNING -> Stream.of(Signers.signing(permissions));
            case CERTIFICATE_SUBJECT_RESTRICTION -> Stream.of(new CertificateSubjects());
            case DEFAULT_INGRESS_CLASS -> Stream.of(DefaultClasses.ofIngress(cluster));
            case POD_TOPOLOGY_LABELS -> Stream.of(new TopologyLabels(cluster));
            case MUTATING_ADMISSION_POLICY,
                    MUTATING_ADMISSION_WEBHOOK,
                    VALIDATING_ADMISSION_POLICY,
                    VALIDATING_ADMISSION_WEBHOOK,
                    RESOURCE_QUOTA -> Stream.empty();
        };
    }

    private List<Enabled> of(Write write) {
        return write.is(Operation.CREATE, Operation.UPDATE)
                ? byType.getOrDefault(write.target().type().id(), List.of())
                : List.of();
    }

    /** Lets the plugins change an object. */
    public void mutate(Write write) {
        of(write)
                .forEach(each -> AdmissionStep.run(
                        write, each.name(), true, () -> each.plugin().mutate(write)));
    }

    /** Lets the plugins change a document that is posted to a subresource. */
    public void mutate(Target target, JsonObject document) {
        byType.getOrDefault(target.type().id(), List.of())
                .forEach(each -> each.plugin().mutate(target, document));
    }

    /** Lets the plugins refuse an object. */
    public void validate(Write write) {
        of(write)
                .forEach(each -> AdmissionStep.run(
                        write, each.name(), false, () -> each.plugin().validate(write)));
    }
}
