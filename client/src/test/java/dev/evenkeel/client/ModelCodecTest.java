package dev.evenkeel.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelCodecTest {
    private static String text(byte[] json) {
        return new String(json, UTF_8);
    }

    private static byte[] json(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void writesNoAbsentValues() {
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .addToData("k", "ü")
                .build();

        assertThat(text(ModelCodec.encode(object)))
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},"
                        + "\"data\":{\"k\":\"ü\"}}");
    }

    @Test
    void writesNoAbsentValuesOfUsersClasses() {
        Gadget gadget = new Gadget();
        gadget.setMetadata(new ObjectMetaBuilder().withName("g").build());
        gadget.setSpec(new Gadget.Spec(3, null, List.of("x")));

        assertThat(text(ModelCodec.encode(gadget)))
                .contains("\"spec\":{\"size\":3,\"tags\":[\"x\"]}", "\"apiVersion\":\"demo.example.com/v1\"")
                .doesNotContain("null", "status");
    }

    @Test
    void readsUsersClasses() {
        Gadget gadget = ModelCodec.decode(
                json("{\"apiVersion\":\"demo.example.com/v1\",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"g\"},"
                        + "\"spec\":{\"size\":3,\"unknown\":{\"a\":[1]}},\"status\":{\"seen\":7}}"),
                Gadget.class);

        assertThat(gadget.getSpec()).isEqualTo(new Gadget.Spec(3, null, null));
        assertThat(gadget.getStatus().seen()).isEqualTo(7);
    }

    /** A user's class that is not a CustomResource. */
    public static final class Plain implements HasMetadata {
        private ObjectMeta metadata = new ObjectMeta();
        private String apiVersion = "e.com/v1";

        @Override
        public ObjectMeta getMetadata() {
            return metadata;
        }

        @Override
        public void setMetadata(ObjectMeta value) {
            metadata = value;
        }

        @Override
        public String getApiVersion() {
            return apiVersion;
        }

        @Override
        public void setApiVersion(String value) {
            apiVersion = value;
        }
    }

    @Test
    void readsClassesThatOnlyImplementTheInterface() {
        Plain plain = ModelCodec.decode(
                json("{\"apiVersion\":\"e.com/v2\",\"kind\":\"Plain\",\"metadata\":{\"name\":\"p\"}}"), Plain.class);

        assertThat(plain.getMetadata().getName()).isEqualTo("p");
        assertThat(plain.getApiVersion()).isEqualTo("e.com/v2");
    }

    @Test
    void keepsWhatBuiltInClassesDoNotKnow() {
        String text = "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"s\"},"
                + "\"spec\":{\"ports\":[{\"port\":80,\"targetPort\":\"http\"}],\"fromTheFuture\":{\"a\":[1,2]}}}";

        assertThat(text(ModelCodec.encode(ModelCodec.decode(json(text), Service.class))))
                .isEqualTo(text);
    }

    @Test
    void keepsGenericObjectsAsTheyAre() {
        String text = "{\"apiVersion\":\"e.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"t\"},"
                + "\"spec\":{\"n\":5000000000,\"f\":1.5,\"b\":true,\"empty\":{},\"list\":[{\"a\":\"b\"},[]]}}";

        assertThat(text(ModelCodec.encode(ModelCodec.decode(json(text), GenericKubernetesResource.class))))
                .isEqualTo(text);
    }

    @Test
    void keepsTimesOfLeasesToTheMicrosecond() {
        Lease lease = ModelCodec.decode(
                json("{\"apiVersion\":\"coordination.k8s.io/v1\",\"kind\":\"Lease\",\"metadata\":{\"name\":\"l\"},"
                        + "\"spec\":{\"renewTime\":\"2026-01-02T03:04:05.678901Z\"}}"),
                Lease.class);

        assertThat(lease.getSpec().getRenewTime()).isEqualTo(ZonedDateTime.parse("2026-01-02T03:04:05.678901Z"));
        assertThat(text(ModelCodec.encode(lease))).contains("\"renewTime\":\"2026-01-02T03:04:05.678901Z\"");
    }

    @Test
    void copiesShareNothing() {
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .addToData("k", "v")
                .build();

        ConfigMap copy = ModelCodec.copy(object);
        copy.getData().put("k", "other");

        assertThat(object.getData()).isEqualTo(Map.of("k", "v"));
    }

    @Test
    void anObjectIsUpdatedFromAnother() {
        Gadget gadget = new Gadget();
        gadget.setMetadata(new ObjectMetaBuilder()
                .withName("g")
                .addToLabels("old", "1")
                .addToFinalizers("f")
                .build());
        gadget.setSpec(new Gadget.Spec(3, "red", null));
        gadget.setStatus(new Gadget.State(1));
        GenericKubernetesResource source = ModelCodec.decode(
                json("{\"apiVersion\":\"demo.example.com/v1\",\"kind\":\"Gadget\",\"metadata\":{\"name\":\"g\"},"
                        + "\"spec\":{\"size\":4}}"),
                GenericKubernetesResource.class);

        ModelCodec.assign(gadget, source);

        assertThat(text(ModelCodec.encode(gadget)))
                .isEqualTo(text(ModelCodec.encode(ModelCodec.convert(source, Gadget.class))));
        assertThat(gadget.getStatus()).isNull();
        gadget.getMetadata().setName("other");
        assertThat(source.getMetadata().getName()).isEqualTo("g");
    }

    @Test
    void alsoWhatAClassHasNoFieldFor() {
        Service service = ModelCodec.decode(
                json("{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"s\"},\"old\":1,"
                        + "\"spec\":{\"type\":\"ClusterIP\",\"older\":2}}"),
                Service.class);
        GenericKubernetesResource generic = ModelCodec.convert(service, GenericKubernetesResource.class);
        String wanted = "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"t\"},\"young\":[1]}";

        ModelCodec.assign(service, ModelCodec.decode(json(wanted), Service.class));
        ModelCodec.assign(generic, service);

        assertThat(text(ModelCodec.encode(service))).isEqualTo(wanted);
        assertThat(text(ModelCodec.encode(generic))).isEqualTo(wanted);
    }

    /** Has a field that is given at birth. */
    public static final class Fixed implements HasMetadata {
        private final String tone;
        private ObjectMeta metadata = new ObjectMeta();

        @JsonCreator
        public Fixed(@JsonProperty("colour") String colour) {
            tone = colour;
        }

        public String getColour() {
            return tone;
        }

        @Override
        public ObjectMeta getMetadata() {
            return metadata;
        }

        @Override
        public void setMetadata(ObjectMeta value) {
            metadata = value;
        }

        @Override
        public String getApiVersion() {
            return "e.com/v1";
        }

        @Override
        public void setApiVersion(String value) {}
    }

    @Test
    void valuesWithoutSettersAreRefusedAndLeftAlone() {
        Fixed fixed = new Fixed("red");
        Fixed named = new Fixed("red");
        named.setMetadata(new ObjectMetaBuilder().withName("n").build());
        ModelCodec.assign(fixed, named);
        assertThat(fixed.getMetadata().getName()).isEqualTo("n");

        assertThatThrownBy(() -> ModelCodec.assign(fixed, new Fixed("green")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("colour", "setter");
        assertThat(fixed.getMetadata().getName()).isEqualTo("n");
        assertThatThrownBy(() -> ModelCodec.assign(Encoded.of(json("{}")), fixed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("encoded");
    }

    @Test
    void reportsTheFieldThatDoesNotFit() {
        assertThatThrownBy(() -> ModelCodec.decode(
                        json("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"spec\":{\"replicas\":[\"x\"]}}"),
                        Deployment.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spec.replicas");
        assertThatThrownBy(() -> ModelCodec.decode(json("{"), Gadget.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Gadget");
    }
}
