package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What the strategies of kube-apiserver 1.36 say of writes, by kind and the same in each version: whether a PUT creates,
 * whether one without version replaces, and the fields that a write to the object and to its status resets.
 */
class WriteRulesTest {
    private static final String RULES = """
            apiservices.apiregistration.k8s.io | - - | status | metadata spec
            certificatesigningrequests.certificates.k8s.io | - unconditional | spec status | spec status.conditions
            clusterrolebindings.rbac.authorization.k8s.io | create unconditional | - | -
            clusterroles.rbac.authorization.k8s.io | create unconditional | - | -
            configmaps | - unconditional | - | -
            controllerrevisions.apps | - unconditional | - | -
            cronjobs.batch | - unconditional | status | spec
            csidrivers.storage.k8s.io | - - | - | -
            csinodes.storage.k8s.io | - - | - | -
            csistoragecapacities.storage.k8s.io | - - | - | -
            customresourcedefinitions.apiextensions.k8s.io | - - | status | metadata spec
            daemonsets.apps | - unconditional | status | spec
            deployments.apps | - unconditional | status | metadata.labels spec
            deviceclasses.resource.k8s.io | - unconditional | - | -
            devicetaintrules.resource.k8s.io | - unconditional | status | metadata spec
            endpoints | create unconditional | - | -
            endpointslices.discovery.k8s.io | - unconditional | - | -
            events | create unconditional | - | -
            events.events.k8s.io | create unconditional | - | -
            flowschemas.flowcontrol.apiserver.k8s.io | - unconditional | status | metadata spec
            horizontalpodautoscalers.autoscaling | - unconditional | status | spec
            ingressclasses.networking.k8s.io | - unconditional | - | -
            ingresses.networking.k8s.io | - unconditional | status | spec
            ipaddresses.networking.k8s.io | - unconditional | - | -
            jobs.batch | - unconditional | status | spec
            leasecandidates.coordination.k8s.io | create - | - | -
            leases.coordination.k8s.io | create - | - | -
            limitranges | create unconditional | - | -
            mutatingadmissionpolicies.admissionregistration.k8s.io | - - | - | -
            mutatingadmissionpolicybindings.admissionregistration.k8s.io | - - | - | -
            mutatingwebhookconfigurations.admissionregistration.k8s.io | - - | - | -
            namespaces | - unconditional | status | spec
            networkpolicies.networking.k8s.io | - unconditional | - | -
            nodes | - unconditional | status | spec
            persistentvolumeclaims | - unconditional | status | spec
            persistentvolumes | - unconditional | status | spec
            poddisruptionbudgets.policy | - - | status | spec
            pods | - unconditional | status | metadata.deletionTimestamp metadata.ownerReferences spec
            podtemplates | - unconditional | - | -
            priorityclasses.scheduling.k8s.io | - unconditional | - | -
            prioritylevelconfigurations.flowcontrol.apiserver.k8s.io | - unconditional | status | metadata spec
            replicasets.apps | - unconditional | status | spec
            replicationcontrollers | - unconditional | status | spec
            resourceclaims.resource.k8s.io | - unconditional | status | metadata spec
            resourceclaimtemplates.resource.k8s.io | - unconditional | - | -
            resourcepoolstatusrequests.resource.k8s.io | - - | status | metadata spec
            resourcequotas | - unconditional | status | spec
            resourceslices.resource.k8s.io | - unconditional | - | -
            rolebindings.rbac.authorization.k8s.io | create unconditional | - | -
            roles.rbac.authorization.k8s.io | create unconditional | - | -
            runtimeclasses.node.k8s.io | create - | - | -
            secrets | - unconditional | - | -
            serviceaccounts | - unconditional | - | -
            servicecidrs.networking.k8s.io | - unconditional | status | metadata spec
            services | create unconditional | status | spec
            statefulsets.apps | - unconditional | status | spec
            storageclasses.storage.k8s.io | - unconditional | - | -
            storageversions.internal.apiserver.k8s.io | - - | status | metadata spec
            validatingadmissionpolicies.admissionregistration.k8s.io | - - | status | metadata spec
            validatingadmissionpolicybindings.admissionregistration.k8s.io | - - | - | -
            validatingwebhookconfigurations.admissionregistration.k8s.io | - - | - | -
            volumeattachments.storage.k8s.io | - - | status | metadata spec
            volumeattributesclasses.storage.k8s.io | - unconditional | - | -
            """;

    /** What is answered, and never stored, has no such rules. */
    private static boolean isStored(BuiltinResource resource) {
        return resource.verbs().contains("update");
    }

    private static String words(Iterable<String> words) {
        String text = String.join(" ", words);
        return text.isEmpty() ? "-" : text;
    }

    @Test
    void everyStoredKindHasThoseOfItsStrategy() {
        Map<String, Set<String>> found = new TreeMap<>();
        for (BuiltinResource resource : ResourceTable.INSTANCE.resources()) {
            if (isStored(resource)) {
                String name = resource.plural() + (resource.group().isEmpty() ? "" : "." + resource.group());
                found.computeIfAbsent(name, any -> new TreeSet<>())
                        .add((resource.createOnUpdate() ? "create" : "-") + " "
                                + (resource.unconditionalUpdate() ? "unconditional" : "-") + " | "
                                + words(resource.resetFields()) + " | " + words(resource.statusResetFields()));
            }
        }
        Map<String, Set<String>> expected = new TreeMap<>();
        RULES.lines().forEach(line -> {
            String[] cells = line.split(" \\| ", 2);
            expected.put(cells[0], Set.of(cells[1]));
        });
        assertThat(found).isEqualTo(expected);
    }
}
