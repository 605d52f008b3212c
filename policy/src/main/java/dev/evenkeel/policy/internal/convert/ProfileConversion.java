package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.Profile;
import dev.evenkeel.policy.internal.model.Rule;
import dev.evenkeel.policy.internal.sharing.Shared;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Namespaces and service accounts as profiles. The profile of the namespace allows what no policy decides. */
public final class ProfileConversion {
    private static final List<Rule> ALLOW = List.of(Rule.of(Action.ALLOW, "the default"));
    private static final String NAMESPACE = "kns.";
    private static final String SERVICE_ACCOUNT = "ksa.";

    private ProfileConversion() {}

    /** Converts a namespace. */
    public static Profile convert(Namespace namespace) {
        String name = ObjectKey.of(namespace).name();
        Map<String, String> labels = LabelNames.prefixed(
                LabelNames.NAMESPACE_PREFIX, namespace.getMetadata().getLabels());
        labels.put(LabelNames.NAMESPACE_PREFIX + LabelNames.NAME, name);
        labels.put(LabelNames.NAMESPACE_PREFIX + LabelNames.METADATA_NAME, name);
        return new Profile(namespace(name), labels, ALLOW, ALLOW);
    }

    /** Converts a service account. */
    public static Profile convert(ServiceAccount account) {
        ObjectKey key = ObjectKey.of(account);
        Map<String, String> labels = LabelNames.prefixed(
                LabelNames.SERVICE_ACCOUNT_PREFIX, account.getMetadata().getLabels());
        labels.put(LabelNames.SERVICE_ACCOUNT_PREFIX + LabelNames.NAME, key.name());
        return new Profile(serviceAccount(key.namespace(), key.name()), labels, List.of(), List.of());
    }

    /** Returns the labels of a converted namespace or service account, as the object has them. */
    public static Map<String, String> labels(Profile profile) {
        String prefix =
                profile.name().startsWith(NAMESPACE) ? LabelNames.NAMESPACE_PREFIX : LabelNames.SERVICE_ACCOUNT_PREFIX;
        return profile.labels().entrySet().stream()
                .filter(label -> !label.getKey().equals(prefix + LabelNames.NAME))
                .collect(Collectors.toMap(label -> label.getKey().substring(prefix.length()), Map.Entry::getValue));
    }

    /** Returns the name of the profile of a namespace. */
    public static String namespace(String name) {
        return Shared.of(NAMESPACE + name);
    }

    /** Returns the name of the namespace of a profile. */
    public static String namespaceOf(String profile) {
        return profile.substring(NAMESPACE.length());
    }

    /** Returns the service account of a profile. */
    public static ObjectKey serviceAccountOf(String profile) {
        // names of namespaces have no dots
        int dot = profile.indexOf('.', SERVICE_ACCOUNT.length());
        return new ObjectKey(profile.substring(SERVICE_ACCOUNT.length(), dot), profile.substring(dot + 1));
    }

    /** Returns the name of the profile of a service account. */
    public static String serviceAccount(String namespace, String name) {
        return Shared.of(SERVICE_ACCOUNT + namespace + "." + name);
    }
}
