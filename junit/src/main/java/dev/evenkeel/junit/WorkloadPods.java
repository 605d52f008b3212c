package dev.evenkeel.junit;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPortBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the ReplicaSets and Pods of workloads, and the EndpointSlices of Services, as the controllers of a cluster do. After
 * each event it compares the whole namespace: its objects are few. A new template replaces all pods at once.
 */
final class WorkloadPods {
    private static final String HASH = "pod-template-hash";
    private static final String REVISION = "controller-revision-hash";
    private static final String SERVICE = "kubernetes.io/service-name";

    private final KubernetesClient client;

    WorkloadPods(KubernetesClient client) {
        this.client = client;
    }

    void start() {
        Stream.of(
                        Deployment.class,
                        ReplicaSet.class,
                        StatefulSet.class,
                        DaemonSet.class,
                        Job.class,
                        Pod.class,
                        Service.class)
                .forEach(this::inform);
    }

    private <T extends HasMetadata> void inform(Class<T> type) {
        // ends with the client, which ends with the cluster
        var unused = client.resources(type).inAnyNamespace().inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                sync(object.getMetadata().getNamespace());
            }

            @Override
            public void onUpdate(T old, T object) {
                sync(object.getMetadata().getNamespace());
            }

            @Override
            public void onDelete(T object, boolean unknown) {
                sync(object.getMetadata().getNamespace());
            }
        });
    }

    private synchronized void sync(String namespace) {
        for (Deployment deployment : list(Deployment.class, namespace)) {
            replicaSets(deployment);
        }
        for (ReplicaSet set : list(ReplicaSet.class, namespace)) {
            PodTemplateSpec template = set.getSpec().getTemplate();
            pods(set, template, Map.of(), suffixed(set, orOne(set.getSpec().getReplicas())));
        }
        for (StatefulSet set : list(StatefulSet.class, namespace)) {
            String name = set.getMetadata().getName();
            List<String> names = IntStream.range(0, orOne(set.getSpec().getReplicas()))
                    .mapToObj(i -> name + "-" + i)
                    .toList();
            PodTemplateSpec template = set.getSpec().getTemplate();
            pods(set, template, Map.of(REVISION, hash(template)), names);
        }
        for (DaemonSet set : list(DaemonSet.class, namespace)) {
            PodTemplateSpec template = set.getSpec().getTemplate();
            pods(set, template, Map.of(REVISION, hash(template)), suffixed(set, 1));
        }
        for (Job job : list(Job.class, namespace)) {
            if (!Boolean.TRUE.equals(job.getSpec().getSuspend())) {
                pods(
                        job,
                        job.getSpec().getTemplate(),
                        Map.of("batch.kubernetes.io/job-name", job.getMetadata().getName()),
                        suffixed(job, orOne(job.getSpec().getCompletions())));
            }
        }
        for (Service service : list(Service.class, namespace)) {
            endpoints(service);
        }
    }

    private <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
        return client.resources(type).inNamespace(namespace).list().getItems().stream()
                .filter(object -> !object.isMarkedForDeletion())
                .toList();
    }

    private <T extends HasMetadata> List<T> owned(Class<T> type, HasMetadata owner) {
        return list(type, owner.getMetadata().getNamespace()).stream()
                .filter(object -> object.getMetadata().getOwnerReferences().stream()
                        .anyMatch(reference ->
                                reference.getUid().equals(owner.getMetadata().getUid())))
                .toList();
    }

    private static int orOne(@Nullable Integer value) {
        return value == null ? 1 : value;
    }

    private static String hash(PodTemplateSpec template) {
        return Integer.toHexString(Serialization.asJson(template).hashCode());
    }

    private static List<String> suffixed(HasMetadata owner, int count) {
        String name = owner.getMetadata().getName();
        return IntStream.range(0, count)
                .mapToObj(i -> name + "-" + String.format("%05x", (owner.getKind() + name + i).hashCode() & 0xfffff))
                .toList();
    }

    private static ObjectMeta metadata(HasMetadata owner, String name, Map<String, String> labels) {
        return new ObjectMetaBuilder()
                .withNamespace(owner.getMetadata().getNamespace())
                .withName(name)
                .withLabels(labels)
                .withOwnerReferences(reference(owner))
                .build();
    }

    private static OwnerReference reference(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    private static Map<String, String> labels(PodTemplateSpec template, Map<String, String> more) {
        Map<String, String> labels = new LinkedHashMap<>();
        ObjectMeta metadata = template.getMetadata();
        if (metadata != null && metadata.getLabels() != null) {
            labels.putAll(metadata.getLabels());
        }
        labels.putAll(more);
        return labels;
    }

    private void replicaSets(Deployment deployment) {
        PodTemplateSpec template = deployment.getSpec().getTemplate();
        String hash = hash(template);
        String present = deployment.getMetadata().getName() + "-" + hash;
        List<ReplicaSet> sets = owned(ReplicaSet.class, deployment);
        for (ReplicaSet set : sets) {
            boolean isPresent = set.getMetadata().getName().equals(present);
            Integer wanted = isPresent ? orOne(deployment.getSpec().getReplicas()) : 0;
            if (!wanted.equals(set.getSpec().getReplicas())) {
                ReplicaSet scaled = new ReplicaSetBuilder(set)
                        .editSpec()
                        .withReplicas(wanted)
                        .endSpec()
                        .build();
                tolerating(() -> client.resource(scaled).update());
            }
        }
        if (sets.stream().noneMatch(set -> set.getMetadata().getName().equals(present))) {
            Map<String, String> labels = labels(template, Map.of(HASH, hash));
            ReplicaSet made = new ReplicaSetBuilder()
                    .withMetadata(metadata(deployment, present, labels))
                    .withNewSpec()
                    .withReplicas(orOne(deployment.getSpec().getReplicas()))
                    .withNewSelectorLike(deployment.getSpec().getSelector())
                    .addToMatchLabels(HASH, hash)
                    .endSelector()
                    .withNewTemplateLike(template)
                    .editOrNewMetadata()
                    .withLabels(labels)
                    .endMetadata()
                    .endTemplate()
                    .endSpec()
                    .build();
            tolerating(() -> client.resource(made).create());
        }
    }

    /** Makes the pods of these names, and deletes the others of their owner, and those of another template. */
    private void pods(HasMetadata owner, PodTemplateSpec template, Map<String, String> more, List<String> names) {
        Map<String, String> labels = labels(template, more);
        Map<String, Pod> present = new HashMap<>();
        for (Pod pod : owned(Pod.class, owner)) {
            boolean wanted = names.contains(pod.getMetadata().getName())
                    && Objects.equals(
                            labels.get(REVISION), pod.getMetadata().getLabels().get(REVISION));
            if (wanted) {
                present.put(pod.getMetadata().getName(), pod);
            } else {
                tolerating(() -> client.resource(pod).withGracePeriod(0).delete());
            }
        }
        for (String name : names) {
            if (!present.containsKey(name)) {
                ObjectMetaBuilder metadata = new ObjectMetaBuilder(metadata(owner, name, labels));
                if (template.getMetadata() != null) {
                    metadata.withAnnotations(template.getMetadata().getAnnotations());
                }
                Pod pod = new PodBuilder()
                        .withMetadata(metadata.build())
                        .withSpec(template.getSpec())
                        .build();
                tolerating(() -> client.resource(pod).create());
            }
        }
    }

    private void endpoints(Service service) {
        Map<String, String> selector = service.getSpec().getSelector();
        if (selector == null || selector.isEmpty()) {
            return;
        }
        List<Pod> pods = list(Pod.class, service.getMetadata().getNamespace()).stream()
                .filter(pod -> pod.getMetadata().getLabels() != null
                        && pod.getMetadata().getLabels().entrySet().containsAll(selector.entrySet()))
                .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
                .toList();
        String name = service.getMetadata().getName();
        EndpointSlice wanted = new EndpointSliceBuilder()
                .withMetadata(metadata(
                        service,
                        name + "-ipv4",
                        Map.of(
                                SERVICE,
                                name,
                                "endpointslice.kubernetes.io/managed-by",
                                "endpointslice-controller.k8s.io")))
                .withAddressType("IPv4")
                .withEndpoints(pods.stream().map(WorkloadPods::endpoint).toList())
                .withPorts(service.getSpec().getPorts().stream()
                        .map(port -> port(port, pods))
                        .toList())
                .build();
        EndpointSlice present = client.resource(wanted).get();
        if (present == null) {
            tolerating(() -> client.resource(wanted).create());
        } else if (!same(present.getEndpoints(), wanted.getEndpoints())
                || !same(present.getPorts(), wanted.getPorts())) {
            wanted.getMetadata().setResourceVersion(present.getMetadata().getResourceVersion());
            tolerating(() -> client.resource(wanted).update());
        }
    }

    /** An API server returns an empty list as null. */
    private static <T> boolean same(@Nullable List<T> present, List<T> wanted) {
        return Objects.requireNonNullElse(present, List.of()).equals(wanted);
    }

    private static Endpoint endpoint(Pod pod) {
        boolean ready = pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("Ready")
                        && condition.getStatus().equals("True"));
        return new EndpointBuilder()
                .withAddresses(pod.getStatus().getPodIP())
                .withNewConditions()
                .withReady(ready)
                .withServing(ready)
                .withTerminating(false)
                .endConditions()
                .withNewTargetRef()
                .withKind("Pod")
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .endTargetRef()
                .build();
    }

    /** Returns a port; a name of a port is that of the first pod that has it. */
    private static EndpointPort port(ServicePort port, List<Pod> pods) {
        Integer number = port.getTargetPort() == null
                ? port.getPort()
                : port.getTargetPort().getIntVal();
        if (number == null) {
            number = pods.stream()
                    .flatMap(pod -> pod.getSpec().getContainers().stream())
                    .flatMap(container -> container.getPorts().stream())
                    .filter(of ->
                            Objects.equals(of.getName(), port.getTargetPort().getStrVal()))
                    .map(ContainerPort::getContainerPort)
                    .findFirst()
                    .orElse(null);
        }
        return new EndpointPortBuilder()
                .withName(port.getName() == null ? "" : port.getName())
                .withPort(number)
                .withProtocol(port.getProtocol() == null ? "TCP" : port.getProtocol())
                .build();
    }

    /** Makes a write. If it is refused, an object has changed since, whose event is on the way; or a policy forbids it. */
    private static void tolerating(Runnable write) {
        try {
            write.run();
        } catch (KubernetesClientException e) {
            if (e.getCode() < 400 || e.getCode() >= 500) {
                throw e;
            }
        }
    }
}
