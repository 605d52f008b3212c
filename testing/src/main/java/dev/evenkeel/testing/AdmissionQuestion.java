package dev.evenkeel.testing;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.CreateOptionsBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.GroupVersionKind;
import io.fabric8.kubernetes.api.model.GroupVersionResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.UpdateOptionsBuilder;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequest;
import io.fabric8.kubernetes.api.model.admission.v1.AdmissionRequestBuilder;
import java.util.List;
import java.util.Optional;

/** An admission request for a webhook: with the wanted object, the stored one, or both; or with options to connect. */
record AdmissionQuestion(
        String operation,
        Given<?> about,
        Optional<Given<?>> wanted,
        Optional<Given<?>> there,
        Optional<KubernetesResource> options) {
    record Manner(String subresource, String user, List<String> groups, boolean dryRun) {}

    static AdmissionQuestion create(Given<?> object) {
        return new AdmissionQuestion("CREATE", object, Optional.of(object), Optional.empty(), Optional.empty());
    }

    static AdmissionQuestion update(Given<?> old, Given<?> object) {
        return new AdmissionQuestion("UPDATE", object, Optional.of(object), Optional.of(old), Optional.empty());
    }

    static AdmissionQuestion delete(Given<?> object) {
        return new AdmissionQuestion("DELETE", object, Optional.empty(), Optional.of(object), Optional.empty());
    }

    static AdmissionQuestion connect(Given<?> object, Optional<KubernetesResource> options) {
        return new AdmissionQuestion("CONNECT", object, Optional.empty(), Optional.of(object), options);
    }

    boolean patchable() {
        return wanted.isPresent();
    }

    /** Returns the request, after putting the stored object into the cluster. */
    AdmissionRequest request(TestCluster cluster, Manner manner) {
        HasMetadata object = about.object();
        ObjectKey key = about.key();
        Target target = cluster.target(object);
        ResourceType type = target.type();
        String version = target.version().name();
        GroupVersionKind kind = new GroupVersionKind(type.group(), type.kind(), version);
        GroupVersionResource resource = new GroupVersionResource(type.group(), type.plural(), version);
        if (type.namespaced()) {
            cluster.ensureNamespace(key.namespace());
        }
        AdmissionRequestBuilder request = new AdmissionRequestBuilder()
                .withUid(Given.uidOf("AdmissionRequest", key))
                .withKind(kind)
                .withResource(resource)
                .withRequestKind(kind)
                .withRequestResource(resource)
                .withOperation(operation)
                .withDryRun(manner.dryRun())
                .withNewUserInfo()
                .withUsername(manner.user())
                .withGroups(manner.groups())
                .endUserInfo();
        if (!key.name().isEmpty()) {
            request.withName(key.name());
        }
        if (!key.namespace().isEmpty()) {
            request.withNamespace(key.namespace());
        }
        if (!manner.subresource().isEmpty()) {
            request.withSubResource(manner.subresource()).withRequestSubResource(manner.subresource());
        }
        Optional<HasMetadata> old = there.map(cluster::put);
        if (!operation.equals("CONNECT")) {
            // requests to connect have no old object
            old.ifPresent(request::withOldObject);
        }
        options.ifPresent(request::withObject);
        wanted.map(given -> completed(given, cluster, old)).ifPresent(request::withObject);
        List<String> all = manner.dryRun() ? List.of("All") : List.of();
        switch (operation) {
            case "CREATE" ->
                request.withOptions(new CreateOptionsBuilder().withDryRun(all).build());
            case "UPDATE" ->
                request.withOptions(new UpdateOptionsBuilder().withDryRun(all).build());
            case "DELETE" ->
                request.withOptions(new DeleteOptionsBuilder().withDryRun(all).build());
            default -> {}
        }
        return request.build();
    }

    /** Returns an object as the server sends it: with defaults, and the stored values of constant fields. */
    private static HasMetadata completed(Given<?> given, TestCluster cluster, Optional<HasMetadata> old) {
        HasMetadata object = given.object();
        HasMetadata completed = Encoded.of(cluster.completed(ModelCodec.encode(object), Expectations.kind(object)))
                .decode(given.type());
        ObjectMeta metadata = object.getMetadata();
        old.map(HasMetadata::getMetadata).ifPresent(stored -> {
            metadata.setUid(stored.getUid());
            metadata.setCreationTimestamp(stored.getCreationTimestamp());
            if (metadata.getResourceVersion() == null) {
                metadata.setResourceVersion(stored.getResourceVersion());
            }
            if (metadata.getGeneration() == null) {
                metadata.setGeneration(stored.getGeneration());
            }
        });
        completed.setMetadata(metadata);
        return completed;
    }
}
