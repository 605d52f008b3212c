package dev.evenkeel.engine.internal.admission;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The admission plugins of kube-apiserver that an engine has, in the order in which they are called. */
public enum AdmissionPlugin {
    /** Applies the limit ranges of a namespace. */
    LIMIT_RANGER("LimitRanger"),
    /** Gives pods a service account, its token, and refuses pods whose account does not exist. */
    SERVICE_ACCOUNT("ServiceAccount"),
    /** Refuses pods that violate the Pod Security Standards that the labels of their namespace name. */
    POD_SECURITY("PodSecurity"),
    /** Gives pods the node selector of their namespace. */
    POD_NODE_SELECTOR("PodNodeSelector"),
    /** Gives pods the priority of their priority class. */
    PRIORITY("Priority"),
    /** Lets pods tolerate a failing node for five minutes. */
    DEFAULT_TOLERATION_SECONDS("DefaultTolerationSeconds"),
    /** Gives claims of volumes the default storage class. */
    DEFAULT_STORAGE_CLASS("DefaultStorageClass"),
    /** Refuses to grow a claim whose storage class does not allow it. */
    PERSISTENT_VOLUME_CLAIM_RESIZE("PersistentVolumeClaimResize"),
    /** Gives pods the overhead and the node selector of their runtime class. */
    RUNTIME_CLASS("RuntimeClass"),
    /** Lets users decide on requests for certificates only if they may do so for the signer. */
    CERTIFICATE_APPROVAL("CertificateApproval"),
    /** Lets users issue certificates, and report failures to do so, only if they may do so for the signer. */
    CERTIFICATE_SIGNING("CertificateSigning"),
    /** Refuses requests for certificates of clients in the group {@code system:masters}. */
    CERTIFICATE_SUBJECT_RESTRICTION("CertificateSubjectRestriction"),
    /** Gives ingresses the default ingress class. */
    DEFAULT_INGRESS_CLASS("DefaultIngressClass"),
    /** Gives pods the zone and the region of their node as labels. */
    POD_TOPOLOGY_LABELS("PodTopologyLabels"),
    /** Applies MutatingAdmissionPolicies. */
    MUTATING_ADMISSION_POLICY("MutatingAdmissionPolicy"),
    /** Calls the webhooks of MutatingWebhookConfigurations. */
    MUTATING_ADMISSION_WEBHOOK("MutatingAdmissionWebhook"),
    /** Evaluates ValidatingAdmissionPolicies. */
    VALIDATING_ADMISSION_POLICY("ValidatingAdmissionPolicy"),
    /** Calls the webhooks of ValidatingWebhookConfigurations. */
    VALIDATING_ADMISSION_WEBHOOK("ValidatingAdmissionWebhook"),
    /** Enforces the resource quotas of a namespace. */
    RESOURCE_QUOTA("ResourceQuota");

    private static final Set<AdmissionPlugin> OFF = EnumSet.of(SERVICE_ACCOUNT, POD_NODE_SELECTOR);

    private final String title;

    AdmissionPlugin(String title) {
        this.title = title;
    }

    /**
     * Returns the plugins that an engine has unless told otherwise: those that kube-apiserver enables by default, except
     * {@link #SERVICE_ACCOUNT}, with which a pod cannot be created before its service account.
     */
    public static Set<AdmissionPlugin> defaults() {
        return Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.copyOf(OFF)));
    }

    /**
     * Returns the plugins with these names, such as {@code LimitRanger}.
     *
     * @throws IllegalArgumentException when there is none of a name
     */
    public static Set<AdmissionPlugin> named(String... names) {
        Set<AdmissionPlugin> plugins = EnumSet.noneOf(AdmissionPlugin.class);
        for (String name : names) {
            plugins.add(Stream.of(values())
                    .filter(plugin -> plugin.title.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown admission plugin \"" + name
                            + "\"; known: "
                            + Stream.of(values())
                                    .map(AdmissionPlugin::toString)
                                    .sorted()
                                    .collect(Collectors.joining(", ")))));
        }
        return plugins;
    }

    /** Returns the name that kube-apiserver gives the plugin. */
    @Override
    public String toString() {
        return title;
    }
}
