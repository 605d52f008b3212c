package dev.evenkeel.engine.internal.podsecurity;

import static dev.evenkeel.engine.internal.podsecurity.Rule.baseline;
import static dev.evenkeel.engine.internal.podsecurity.Rule.restricted;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules of the standards up to Kubernetes 1.36, in the order of messages: by id, those of the baseline first. The
 * versions of a rule follow each other.
 */
final class Rules {
    private static final String CAPABILITIES = "capabilities_restricted";
    private static final String SECCOMP = "seccompProfile_restricted";

    private static final List<Rule> ALL = List.of(
            baseline("appArmorProfile", 0, Profiles::appArmor),
            baseline("capabilities_baseline", 0, Capabilities::defaults),
            baseline("hostNamespaces", 0, HostAccess::namespaces),
            baseline("hostPathVolumes", 0, VolumeTypes::hostPaths),
            baseline("hostPorts", 0, HostAccess::ports),
            baseline("hostProbesAndHostLifecycle", 34, HostAccess::probes),
            baseline("privileged", 0, Privileges::privileged),
            baseline("procMount", 0, Kernel::procMount),
            baseline("procMount", 35, Kernel::procMount).except(CheckedPod::hasOwnUsers),
            baseline("seLinuxOptions", 0, pod -> Profiles.seLinux(pod, Profiles.SELINUX_TYPES)),
            baseline("seLinuxOptions", 31, pod -> Profiles.seLinux(pod, Profiles.SELINUX_TYPES_31)),
            baseline("seccompProfile_baseline", 0, Seccomp::annotations),
            baseline("seccompProfile_baseline", 19, Seccomp::allowed),
            baseline("sysctls", 0, pod -> Kernel.sysctls(pod, Kernel.SYSCTLS)),
            baseline("sysctls", 27, pod -> Kernel.sysctls(pod, Kernel.SYSCTLS_27)),
            baseline("sysctls", 29, pod -> Kernel.sysctls(pod, Kernel.SYSCTLS_29)),
            baseline("sysctls", 32, pod -> Kernel.sysctls(pod, Kernel.SYSCTLS_32)),
            baseline("windowsHostProcess", 0, HostAccess::windowsProcess),
            restricted("allowPrivilegeEscalation", 8, Privileges::escalation),
            restricted("allowPrivilegeEscalation", 25, Privileges::escalation).except(CheckedPod::isForWindows),
            restricted(CAPABILITIES, 22, Capabilities::dropped).replacing("capabilities_baseline"),
            restricted(CAPABILITIES, 25, Capabilities::dropped)
                    .replacing("capabilities_baseline")
                    .except(CheckedPod::isForWindows),
            restricted("procMount_restricted", 35, Kernel::procMount).replacing("procMount"),
            restricted("restrictedVolumes", 0, VolumeTypes::restricted).replacing("hostPathVolumes"),
            restricted("runAsNonRoot", 0, Privileges::root),
            restricted("runAsNonRoot", 35, Privileges::root).except(CheckedPod::hasOwnUsers),
            restricted("runAsUser", 23, Privileges::userZero),
            restricted("runAsUser", 35, Privileges::userZero).except(CheckedPod::hasOwnUsers),
            restricted(SECCOMP, 19, Seccomp::required).replacing("seccompProfile_baseline"),
            restricted(SECCOMP, 25, Seccomp::required)
                    .replacing("seccompProfile_baseline")
                    .except(CheckedPod::isForWindows));

    private Rules() {}

    /** Returns the rules of a standard: of each the newest version that it knows, without those that others replace. */
    static Collection<Rule> of(Standard standard) {
        Map<String, Rule> rules = new LinkedHashMap<>();
        for (Rule rule : ALL) {
            if (rule.since() <= standard.minor() && rule.level().compareTo(standard.level()) <= 0) {
                rules.put(rule.id(), rule);
            }
        }
        List.copyOf(rules.values()).forEach(rule -> rules.remove(rule.replaced()));
        return rules.values();
    }
}
