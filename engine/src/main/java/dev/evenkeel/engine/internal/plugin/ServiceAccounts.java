package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.NameGenerator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plugin ServiceAccount: a new pod runs as a service account that exists, by default as {@code default}, and has a
 * token of it in every container, unless the pod or the account does not want one.
 *
 * @param defaultAccount creates the account {@code default} of a namespace, if that is the task of this engine
 */
record ServiceAccounts(WriteContext cluster, Consumer<String> defaultAccount) implements Plugin {
    private static final String DEFAULT = "default";
    private static final String NAME = "serviceAccountName";
    private static final String MIRROR = "kubernetes.io/config.mirror";
    private static final String VOLUME = "kube-api-access-";
    private static final String PATH = "/var/run/secrets/kubernetes.io/serviceaccount";
    private static final String ENFORCE = "kubernetes.io/enforce-mountable-secrets";

    @Override
    public Set<String> types() {
        return Set.of("pods");
    }

    @Override
    public void mutate(Write write) {
        if (!Plugin.creates(write)) {
            return;
        }
        JsonObject tree = write.tree();
        if (!isMirror(tree)) {
            JsonObject spec = tree.withObject("spec");
            spec.setIfEmpty(NAME, DEFAULT);
            spec.put("serviceAccount", spec.string(NAME));
            JsonObject account = account(write, spec.string(NAME));
            if (mounts(spec, account)) {
                mount(spec);
            }
            if (spec.array("imagePullSecrets").isEmpty()) {
                spec.setUnlessEmpty("imagePullSecrets", Json.copy(account.array("imagePullSecrets")));
            }
        }
        validate(write);
    }

    private static boolean isMirror(JsonObject pod) {
        return pod.object("metadata", "annotations").containsKey(MIRROR);
    }

    private JsonObject account(Write write, String name) {
        String namespace = write.target().namespace();
        if (name.equals(DEFAULT)
                && cluster.object("serviceaccounts", namespace, name).isEmpty()) {
            defaultAccount.accept(namespace);
        }
        return cluster.object("serviceaccounts", namespace, name)
                .orElseThrow(() -> Plugin.refuse(
                        write,
                        "error looking up service account " + namespace + "/" + name + ": serviceaccount \"" + name
                                + "\" not found"));
    }

    private static boolean mounts(JsonObject spec, JsonObject account) {
        String field = "automountServiceAccountToken";
        return spec.has(field) ? spec.bool(field) : !account.has(field) || account.bool(field);
    }

    private void mount(JsonObject spec) {
        String volume = spec.objects("volumes").stream()
                .map(each -> each.string("name"))
                .filter(name -> name.startsWith(VOLUME))
                .findFirst()
                .orElse("");
        boolean present = !volume.isEmpty();
        String name = present ? volume : NameGenerator.name(VOLUME, cluster.random());
        boolean needed = false;
        for (JsonObject container : containers(spec, "initContainers", "containers")) {
            List<@Nullable Object> mounts = new ArrayList<>(container.array("volumeMounts"));
            if (mounts.stream().noneMatch(each -> Json.string(each, "mountPath").equals(PATH))) {
                mounts.add(JsonObject.of("name", name, "readOnly", true, "mountPath", PATH));
                container.put("volumeMounts", mounts);
                needed = true;
            }
        }
        if (needed && !present) {
            List<@Nullable Object> volumes = new ArrayList<>(spec.array("volumes"));
            volumes.add(JsonObject.of("name", name, "projected", projection()));
            spec.put("volumes", volumes);
        }
    }

    private static List<JsonObject> containers(JsonObject spec, String... fields) {
        return Stream.of(fields).flatMap(field -> spec.objects(field).stream()).toList();
    }

    /** Returns the volume of a token that is renewed each hour, the certificate of the server, and the namespace. */
    private static JsonObject projection() {
        JsonObject certificate = JsonObject.of("key", "ca.crt", "path", "ca.crt");
        JsonObject field = JsonObject.of("apiVersion", "v1", "fieldPath", "metadata.namespace");
        return JsonObject.of(
                "sources",
                items(
                        JsonObject.of(
                                "serviceAccountToken", JsonObject.of("expirationSeconds", 3607L, "path", "token")),
                        JsonObject.of(
                                "configMap",
                                JsonObject.of("name", "kube-root-ca.crt").set("items", items(certificate))),
                        JsonObject.of(
                                "downwardAPI",
                                JsonObject.of("items", items(JsonObject.of("path", "namespace", "fieldRef", field))))),
                "defaultMode",
                420L);
    }

    private static List<@Nullable Object> items(Object... items) {
        return new ArrayList<>(List.of(items));
    }

    @Override
    public void validate(Write write) {
        JsonObject tree = write.tree();
        JsonObject spec = tree.object("spec");
        if (write.operation() == Operation.UPDATE
                && write.target().subresource().equals("ephemeralcontainers")) {
            JsonObject account = account(write, spec.string(NAME));
            if (enforces(account)) {
                checkContainers(write, account, "ephemeral container ", containers(spec, "ephemeralContainers"));
            }
        } else if (Plugin.creates(write) && isMirror(tree)) {
            validateMirror(write, spec);
        } else if (Plugin.creates(write)) {
            if (spec.string(NAME).isEmpty()) {
                throw Plugin.refuse(
                        write,
                        "no service account specified for pod " + write.target().namespace() + "/"
                                + tree.string("metadata", "name"));
            }
            JsonObject account = account(write, spec.string(NAME));
            if (enforces(account)) {
                checkSecrets(write, account, spec);
            }
        }
    }

    private static void validateMirror(Write write, JsonObject spec) {
        if (!spec.string(NAME).isEmpty()) {
            throw Plugin.refuse(write, "a mirror pod may not reference service accounts");
        }
        boolean secrets = !spec.array("imagePullSecrets").isEmpty()
                || spec.objects("volumes").stream().anyMatch(volume -> volume.has("secret"))
                || containers(spec, "initContainers", "containers", "ephemeralContainers").stream()
                        .anyMatch(container -> !secrets(container).isEmpty());
        if (secrets) {
            throw Plugin.refuse(write, "a mirror pod may not reference secrets");
        }
        boolean tokens = spec.objects("volumes").stream()
                .flatMap(volume -> volume.objects("projected", "sources").stream())
                .anyMatch(source -> source.has("serviceAccountToken"));
        if (tokens) {
            throw Plugin.refuse(write, "a mirror pod may not use ServiceAccountToken volume projections");
        }
    }

    private static boolean enforces(JsonObject account) {
        return List.of("1", "t", "T", "TRUE", "true", "True")
                .contains(account.string("metadata", "annotations", ENFORCE));
    }

    private static Set<String> names(JsonObject account, String field) {
        Set<String> names = new HashSet<>();
        account.objects(field).forEach(each -> names.add(each.string("name")));
        return names;
    }

    private static void checkSecrets(Write write, JsonObject account, JsonObject spec) {
        Set<String> mountable = names(account, "secrets");
        for (JsonObject volume : spec.objects("volumes")) {
            String secret = volume.string("secret", "secretName");
            if (volume.has("secret") && !mountable.contains(secret)) {
                throw Plugin.refuse(
                        write,
                        "volume with secret.secretName=\"" + secret
                                + "\" is not allowed because service account " + account.string("metadata", "name")
                                + " does not reference that secret");
            }
        }
        checkContainers(write, account, "init container ", containers(spec, "initContainers"));
        checkContainers(write, account, "container ", containers(spec, "containers"));
        Set<String> pull = names(account, "imagePullSecrets");
        List<JsonObject> wanted = spec.objects("imagePullSecrets");
        for (int i = 0; i < wanted.size(); i++) {
            String name = wanted.get(i).string("name");
            if (!pull.contains(name)) {
                throw Plugin.refuse(
                        write,
                        "imagePullSecrets[" + i + "].name=\"" + name + "\" is not allowed because service account "
                                + account.string("metadata", "name") + " does not reference that imagePullSecret");
            }
        }
    }

    private static void checkContainers(Write write, JsonObject account, String what, List<JsonObject> containers) {
        Set<String> mountable = names(account, "secrets");
        for (JsonObject container : containers) {
            for (JsonObject variable : container.objects("env")) {
                String secret = variable.string("valueFrom", "secretKeyRef", "name");
                if (variable.has("valueFrom", "secretKeyRef") && !mountable.contains(secret)) {
                    throw Plugin.refuse(
                            write,
                            what + container.string("name") + " with envVar " + variable.string("name")
                                    + " referencing secret.secretName=\"" + secret
                                    + "\" is not allowed because service account "
                                    + account.string("metadata", "name") + " does not reference that secret");
                }
            }
            for (JsonObject source : container.objects("envFrom")) {
                String secret = source.string("secretRef", "name");
                if (source.has("secretRef") && !mountable.contains(secret)) {
                    throw Plugin.refuse(
                            write,
                            what + container.string("name")
                                    + " with envFrom referencing secret.secretName=\"" + secret
                                    + "\" is not allowed because service account "
                                    + account.string("metadata", "name") + " does not reference that secret");
                }
            }
        }
    }

    private static Set<String> secrets(JsonObject container) {
        Set<String> secrets = new HashSet<>();
        container.objects("env").forEach(variable -> secrets.add(variable.string("valueFrom", "secretKeyRef", "name")));
        container.objects("envFrom").forEach(source -> secrets.add(source.string("secretRef", "name")));
        secrets.remove("");
        return secrets;
    }
}
