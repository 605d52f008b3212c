package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.policy.internal.sharing.Shared;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The labels that things have because of what they are, as selectors see them.
 *
 * <p>Users choose the labels of their pods and network sets, and selectors of rules trust these names: a pod with a label
 * that claims another namespace or service account, or a network set that claims to be a pod, would pass rules that are
 * meant for others. So reserved names among users' labels are dropped.
 */
final class LabelNames {
    /** The namespace. */
    static final String NAMESPACE = "projectcalico.org/namespace";

    /** The value {@code k8s} on pods, and on nothing else. */
    static final String ORCHESTRATOR = "projectcalico.org/orchestrator";

    /** The value of {@link #ORCHESTRATOR}. */
    static final String KUBERNETES = "k8s";

    /** The service account of a pod. */
    static final String SERVICE_ACCOUNT = "projectcalico.org/serviceaccount";

    /** The name of a node, on its addresses. */
    static final String NODE = "projectcalico.org/node";

    /** The prefix of labels of the namespace. */
    static final String NAMESPACE_PREFIX = "pcns.";

    /** The prefix of labels of the service account. */
    static final String SERVICE_ACCOUNT_PREFIX = "pcsa.";

    /** The prefix of labels of a node. */
    static final String NODE_PREFIX = "pcno.";

    /** The label of namespaces and service accounts with their name, behind the prefix. */
    static final String NAME = "projectcalico.org/name";

    /** The label of namespaces with their name that the API server sets. */
    static final String METADATA_NAME = "kubernetes.io/metadata.name";

    private static final List<String> RESERVED = List.of(NAMESPACE, ORCHESTRATOR, SERVICE_ACCOUNT, NODE);
    private static final List<String> PREFIXES = List.of(NAMESPACE_PREFIX, SERVICE_ACCOUNT_PREFIX, NODE_PREFIX);

    private LabelNames() {}

    /** Returns a modifiable copy of a user's labels without reserved names. */
    static Map<String, String> users(@Nullable Map<String, String> labels) {
        Map<String, String> result = new HashMap<>();
        (labels == null ? Map.<String, String>of() : labels).forEach((label, value) -> {
            if (!isReserved(label)) {
                result.put(Shared.of(label), Shared.of(value));
            }
        });
        return result;
    }

    private static boolean isReserved(String label) {
        for (String prefix : PREFIXES) {
            if (label.startsWith(prefix)) {
                return true;
            }
        }
        return RESERVED.contains(label);
    }

    /** Returns a modifiable copy of labels with a prefix. */
    static Map<String, String> prefixed(String prefix, @Nullable Map<String, String> labels) {
        Map<String, String> result = new HashMap<>();
        (labels == null ? Map.<String, String>of() : labels)
                .forEach((label, value) -> result.put(Shared.of(prefix + label), Shared.of(value)));
        return result;
    }
}
