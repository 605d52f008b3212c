package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import org.junit.jupiter.api.Test;

class KindTest {
    @Test
    void readsModelClasses() {
        assertThat(Kind.of(Deployment.class))
                .isEqualTo(new Kind<>(Deployment.class, "apps", "v1", "Deployment", "deployments", true));
        assertThat(Kind.of(Namespace.class).id()).isEqualTo("namespaces");
        assertThat(Kind.of(Namespace.class).apiVersion()).isEqualTo("v1");
        assertThat(Kind.of(Gadget.class).id()).isEqualTo("gadgets.demo.example.com");
    }

    @Test
    void refusesClassesThatDoNotSayTheirKind() {
        assertThatThrownBy(() -> Kind.of(GenericKubernetesResource.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Kind.generic");
    }

    /** As a class of a protobuf type. */
    static final class Constant extends GenericKubernetesResource {
        static final Kind<Constant> KIND = new Kind<>(Constant.class, "example.com", "v2", "Thing", "things", false);
    }

    static final class Heir extends GenericKubernetesResource {
        @SuppressWarnings("unused") // read by reflection
        static final Kind<Constant> KIND = Constant.KIND;
    }

    @Test
    void readsTheConstantOfAClass() {
        assertThat(Kind.of(Constant.class)).isSameAs(Constant.KIND);
        assertThatThrownBy(() -> Kind.of(Heir.class)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keysMustFitTheScope() {
        Kind<Gadget> gadgets = Kind.of(Gadget.class);
        Kind<Namespace> namespaces = Kind.of(Namespace.class);

        assertThat(gadgets.requireName(ObjectKey.of("n", "g"))).isEqualTo(ObjectKey.of("n", "g"));
        assertThatThrownBy(() -> gadgets.requireName(ObjectKey.cluster("g")))
                .isInstanceOf(BadRequestException.class)
                .hasMessageStartingWith("metadata.namespace");
        assertThatThrownBy(() -> gadgets.requireName(ObjectKey.of("n", "")))
                .isInstanceOf(BadRequestException.class)
                .hasMessageStartingWith("metadata.name:");
        assertThatThrownBy(() -> namespaces.requireScope(ObjectKey.of("n", "x")))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("cluster-scoped");
    }
}
