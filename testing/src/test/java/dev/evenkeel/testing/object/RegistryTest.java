package dev.evenkeel.testing.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.internal.KubernetesDeserializer;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryTest {
    private static final Registry REGISTRY = new Registry(RegistryTest.class.getClassLoader());

    @Test
    void findsTheClassesOfTheModel() {
        KubernetesDeserializer model = new KubernetesDeserializer();
        int kinds = 0;
        for (ServiceLoader.Provider<KubernetesResource> provider :
                ServiceLoader.load(KubernetesResource.class).stream().toList()) {
            Class<? extends KubernetesResource> type = provider.type();
            String apiVersion = HasMetadata.getApiVersion(type);
            if (!HasMetadata.class.isAssignableFrom(type) || apiVersion == null) {
                continue;
            }
            String kind = HasMetadata.getKind(type);
            assertThat(REGISTRY.find(apiVersion, kind))
                    .as(apiVersion + " " + kind)
                    .isEqualTo(model.getRegisteredKind(apiVersion, kind));
            kinds++;
        }
        assertThat(kinds).isGreaterThan(80);
    }

    @Test
    void aKindIsOfItsVersion() {
        assertThat(REGISTRY.find("apps/v1", "Pod")).isEqualTo(GenericKubernetesResource.class);
        assertThat(REGISTRY.find("v1", "pod")).isEqualTo(GenericKubernetesResource.class);
    }

    @Test
    void aUserRegistersAClassOfAnyName(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("META-INF/services/" + KubernetesResource.class.getName());
        Files.createDirectories(file.getParent());
        Files.writeString(file, "# of ours\n\n" + Boat.class.getName() + "  # a boat\n");
        String apiVersion = HasMetadata.getApiVersion(Boat.class);
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            assertThat(new Registry(loader).find(apiVersion, "Boat")).isEqualTo(Boat.class);
        }
        assertThat(REGISTRY.find(apiVersion, "Boat")).isEqualTo(GenericKubernetesResource.class);
    }
}
