package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules of the specification of a persistent volume, on its own or in the attachment of a volume. */
final class PersistentVolumeRules {
    /** In the order in which upstream checks them: the first one is accepted, further ones are errors. */
    private static final List<String> SOURCES = List.of(("hostPath gcePersistentDisk awsElasticBlockStore glusterfs"
                    + " flocker nfs rbd quobyte cephfs iscsi cinder fc flexVolume azureFile vsphereVolume"
                    + " photonPersistentDisk portworxVolume azureDisk scaleIO local storageos csi")
            .split(" ", -1));

    /** The names by which the errors of some sources call them. */
    private static final Map<String, String> SHOWN = Map.of("gcePersistentDisk", "persistentDisk");

    private PersistentVolumeRules() {}

    /**
     * Validates a specification.
     *
     * @param name the name of the volume; empty when it has none
     * @param inline whether it is in an attachment, where it has no capacity, policy, class and affinity
     */
    static void spec(Field spec, String name, boolean inline) {
        if (inline) {
            unsetInline(spec.at("claimRef"));
            if (!spec.at("capacity").object().isEmpty()) {
                unsetInline(spec.at("capacity"));
            }
            if (!spec.at("csi").given()) {
                spec.at("csi").missing("has to be specified in the context of inline volumes");
            }
        }
        if (spec.at("accessModes").array().isEmpty()) {
            spec.at("accessModes").missing();
        }
        Volumes.validateAccessModes(spec.at("accessModes"));
        Field policy = spec.at("persistentVolumeReclaimPolicy");
        if (!inline) {
            capacity(spec.at("capacity"));
            policy.oneOfIfGiven("Delete", "Recycle", "Retain");
        } else if (!policy.text().isEmpty() && !policy.text().equals("Retain")) {
            policy.forbidden("may only be Retain in the context of inline volumes");
        }
        if (inline) {
            unsetInline(spec.at("nodeAffinity"));
        } else if (spec.at("nodeAffinity").given()) {
            Field required = spec.at("nodeAffinity", "required");
            if (required.given()) {
                SchedulingRules.nodeSelector(required, false);
            } else {
                required.missing("must specify required node constraints");
            }
        }
        List<String> given =
                SOURCES.stream().filter(source -> spec.at(source).given()).toList();
        boolean first = true;
        for (String source : given) {
            // upstream does not count a flex volume that follows another source as one too many
            if (first || source.equals("flexVolume")) {
                source(
                        spec.with(
                                SHOWN.getOrDefault(source, source),
                                spec.at(source).value()),
                        source,
                        name);
                if (source.equals("local")
                        && (inline || !spec.at("nodeAffinity").given())) {
                    spec.at("nodeAffinity").missing("Local volume requires node affinity");
                }
                first = false;
            } else {
                spec.at(source.equals("cephfs") ? "cephFS" : source)
                        .forbidden("may not specify more than 1 volume type");
            }
        }
        if (given.isEmpty()) {
            spec.missing("must specify a volume type");
        }
        if (spec.at("hostPath", "path").text().matches("/+")
                && spec.at("persistentVolumeReclaimPolicy").text().equals("Recycle")) {
            spec.at("persistentVolumeReclaimPolicy").forbidden("may not be 'recycle' for a hostPath mount of '/'");
        }
        Field storageClass = spec.at("storageClassName");
        Field mode = spec.at("volumeMode");
        if (!inline) {
            storageClass.requireIfGiven(Names::subdomain);
            SecurityContextRules.oneOfIfPresent(mode, "Block", "Filesystem");
        } else {
            if (!storageClass.text().isEmpty()) {
                unsetInline(storageClass);
            }
            if (mode.given() && !mode.text().equals("Filesystem")) {
                mode.forbidden("may not specify volumeMode other than Filesystem in the context of inline volumes");
            }
        }
        Field attributes = spec.at("volumeAttributesClassName");
        if (!inline && attributes.given()) {
            if (attributes.require("an empty string is disallowed")) {
                attributes.obeys(Names::subdomain);
            }
            if (!spec.at("csi").given()) {
                spec.at("csi").missing("has to be specified when using volumeAttributesClassName");
            }
        }
    }

    private static void unsetInline(Field field) {
        if (field.given()) {
            field.forbidden("may not be specified in the context of inline volumes");
        }
    }

    private static void capacity(Field capacity) {
        if (capacity.object().isEmpty()) {
            capacity.missing();
        }
        if (!capacity.object().keySet().equals(Set.of("storage"))) {
            capacity.notSupported(capacity.value(), List.of("storage"));
        }
        capacity.object().keySet().forEach(name -> {
            Field amount = capacity.entry(name);
            Volumes.validateAmount(amount);
            FormatRules.quantity(amount)
                    .filter(value -> value.value().signum() <= 0)
                    .ifPresent(value -> amount.invalid(value.text(), "must be greater than zero"));
        });
    }

    private static void source(Field source, String kind, String name) {
        switch (kind) {
            case "iscsi" -> {
                Field portal = source.at("targetPortal");
                portal.require();
                if (source.at("initiatorName").given() && Names.bytes(name + ":" + portal.text()) > 64) {
                    source.with("targetportal", portal.value())
                            .invalid("Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
                                    + " iscsi.initiatorName is specified.");
                }
                VolumeRules.iscsiTarget(source, "must be valid format");
                if (source.at("secretRef").given()) {
                    source.at("secretRef", "name").require();
                }
                VolumeRules.iscsiInitiator(source, "must be valid format");
            }
            case "local" -> {
                if (source.at("path").require()) {
                    FormatRules.noBacksteps(source.at("path"), source.at("path").text());
                }
            }
            case "csi" -> csi(source);
            default -> VolumeRules.shared(kind, source);
        }
        if (List.of("cinder", "storageos").contains(kind)
                && source.at("secretRef").given()) {
            source.at("secretRef", "namespace").require();
        }
        if (source.at("secretNamespace").given()) {
            source.at("secretNamespace").require();
        }
        Field endpoints = source.at("endpointsNamespace");
        if (endpoints.given() && endpoints.text().isEmpty()) {
            endpoints.invalid("if the endpointnamespace is set, it must be a valid namespace name");
        } else if (endpoints.given()) {
            endpoints.obeys(Names::label);
        }
    }

    private static void csi(Field source) {
        VolumeRules.csiDriver(source.at("driver"));
        source.at("volumeHandle").require();
        for (String secret : List.of(
                "controllerPublishSecretRef",
                "controllerExpandSecretRef",
                "nodePublishSecretRef",
                "nodeExpandSecretRef")) {
            if (source.at(secret).given()) {
                source.at(secret, "name").require(Names::subdomain);
                source.at(secret, "namespace").require(Names::label);
            }
        }
    }
}
