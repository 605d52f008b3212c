package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeferredDeserializerTest {
    private static final String POD = """
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "web", "namespace": "shop", "labels": {"a": "b"}, "unknown": {"kept": [1]},
               "managedFields": [{"manager": "m", "operation": "Apply", "time": "2026-01-01T00:00:00Z",
                 "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:containers": {}}}}]},
             "spec": {
               "containers": [{"name": "app", "image": "app:1", "env": [{"name": "E",
                    "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}],
                  "ports": [{"containerPort": 80}], "resources": {"limits": {"cpu": "100m", "memory": "1Gi"}},
                  "livenessProbe": {"httpGet": {"port": "http", "path": "/"}, "periodSeconds": 3},
                  "lifecycle": {"preStop": {"exec": {"command": ["a", "b"]}}}}],
               "volumes": [{"name": "v", "projected": {"sources": [{"configMap": {"name": "c"}}]}},
                  {"name": "e", "emptyDir": {}}],
               "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                  {"topologyKey": "zone", "labelSelector": {"matchExpressions": [
                     {"key": "k", "operator": "In", "values": ["x"]}]}}]}},
               "tolerations": [{"operator": "Exists"}], "later": {"field": true}},
             "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}
            """;

    static List<Arguments> objects() {
        return List.of(
                Arguments.of(Pod.class, POD),
                Arguments.of(Deployment.class, """
                        {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
                         "spec": {"selector": {"matchLabels": {"a": "b"}},
                           "strategy": {"rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 1}},
                           "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": []}}}}
                        """),
                Arguments.of(Service.class, """
                        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"},
                         "spec": {"ports": [{"port": 80, "targetPort": "http"}, {"port": 81, "targetPort": 8081}]}}
                        """),
                Arguments.of(Ingress.class, """
                        {"apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": {"name": "i"},
                         "spec": {"rules": [{"host": "h", "http": {"paths": [{"path": "/", "pathType": "Prefix",
                           "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}}]}}
                        """),
                // a class that is its own field's, and one that reads itself in a form of its own
                Arguments.of(CustomResourceDefinition.class, """
                        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                         "metadata": {"name": "gs.e.com"},
                         "spec": {"group": "e.com", "versions": [{"name": "v1", "schema": {"openAPIV3Schema": {
                           "type": "object", "properties": {"spec": {"type": "object", "additionalProperties":
                             {"type": "array", "items": {"type": "string", "default": "x"}}}}}}}]}}
                        """));
    }

    @ParameterizedTest
    @MethodSource("objects")
    <T extends HasMetadata> void readsWhatJacksonReads(Class<T> type, String json) throws Exception {
        ObjectMapper plain = new ObjectMapper();
        T expected = plain.readValue(json, type);

        T read = ModelCodec.decode(json.getBytes(java.nio.charset.StandardCharsets.UTF_8), type);

        assertThat(read).isEqualTo(expected);
        assertThat(plain.<JsonNode>valueToTree(read)).isEqualTo(plain.valueToTree(expected));
    }

    @Test
    void mistakesAreReportedWithTheirPath() {
        assertThatThrownBy(() -> mapper().readValue("{\"spec\":{\"containers\":[{\"ports\":7}]}}", Pod.class))
                .isInstanceOf(JsonMappingException.class)
                .hasMessageContaining("PodSpec[\"containers\"]")
                .hasMessageContaining("Container[\"ports\"]");
    }

    @Test
    void anObjectIsReadInto() throws Exception {
        Pod pod = mapper().readValue(POD, Pod.class);

        Pod same = mapper().readerForUpdating(pod).readValue("{\"status\": {\"phase\": \"Failed\"}}");

        assertThat(same).isSameAs(pod);
        assertThat(pod.getStatus().getPhase()).isEqualTo("Failed");
        assertThat(pod.getMetadata().getName()).isEqualTo("web");
    }

    /** A class of a user that has a model's class for a part of itself. */
    static final class Uses {
        @JsonUnwrapped(prefix = "to_")
        public ObjectReference inside = new ObjectReference();

        @JsonIgnoreProperties({"uid", "resourceVersion"})
        public ObjectReference some = new ObjectReference();

        public ObjectReference all = new ObjectReference();
    }

    @Test
    void aUserSaysHowAPartIsRead() throws Exception {
        Uses uses = mapper().readValue("""
                        {"to_name": "a", "to_uid": "u", "some": {"name": "b", "uid": "u"}, "all": {"name": "c", "uid": "u"}}
                        """, Uses.class);

        assertThat(uses.inside.getName()).isEqualTo("a");
        assertThat(uses.inside.getUid()).isEqualTo("u");
        assertThat(uses.some.getName()).isEqualTo("b");
        assertThat(uses.some.getUid()).isNull();
        assertThat(uses.all.getUid()).isEqualTo("u");
    }

    @Test
    void severalThreadsLookAtAClassAtOnce() throws Exception {
        JsonMapper mapper = mapper();
        Pod expected = new ObjectMapper().readValue(POD, Pod.class);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Pod>> read = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                read.add(threads.submit(() -> mapper.readValue(POD, Pod.class)));
            }
            for (Future<Pod> one : read) {
                assertThat(one.get()).isEqualTo(expected);
            }
        }
    }

    /** A mapper that has looked at nothing yet. */
    private static JsonMapper mapper() {
        return ModelCodec.mapper().build();
    }
}
