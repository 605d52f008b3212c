package dev.evenkeel.engine.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.spi.Store;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObjectCodecTest {
    private static final Store.Key MAPS = new Store.Key("default/configmaps", "default", "m");

    @Test
    void aDecodedValueHasTheFactsOfTheEncodedOne() {
        try (Engine engine = Engine.create()) {
            engine.client().create(ModelCodec.convert(Manifests.parse("""
                    apiVersion: v1
                    kind: ConfigMap
                    metadata:
                      namespace: default
                      name: m
                      labels: {app: web}
                      finalizers: [example.com/f]
                      ownerReferences: [{apiVersion: v1, kind: Secret, name: s, uid: "1"}]
                    """).getFirst(), ConfigMap.class));
            engine.client().delete(ConfigMap.class, ObjectKey.of("default", "m"));
            Store.Value encoded = engine.store().snapshot().get(MAPS).value();

            Store.Value decoded = ObjectCodec.INSTANCE.decode(MAPS, encoded.bytes());

            for (Store.Value value : List.of(encoded, decoded, (Store.Value) encoded::bytes)) {
                assertThat(value.bytes()).isSameAs(encoded.bytes());
                assertThat(value.labels()).isEqualTo(Map.of("app", "web"));
                assertThat(value.ownerUids()).containsExactly("1");
                assertThat(value.deleting()).isTrue();
                assertThat(value.hasFinalizers()).isTrue();
                assertThat(value.header()).isEqualTo(encoded.header());
            }
            ResourceType.Version version = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION))
                    .types()
                    .type("configmaps")
                    .orElseThrow()
                    .storageVersion();
            assertThat(encoded.isEncodedFor(version)).isTrue();
            assertThat(decoded.isEncodedFor(version)).isTrue();
            assertThat(((Store.Value) encoded::bytes).isEncodedFor(version)).isFalse();
        }
    }

    @Test
    void anObjectOfAnotherTypeOrPlaceIsConvertedWhenItIsRead() {
        byte[] bytes = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"}}"
                .getBytes(StandardCharsets.UTF_8);
        Store.Value elsewhere = ObjectCodec.INSTANCE.decode(new Store.Key("default/others", "", "m"), bytes);

        assertThat(BuiltinTypes.all().stream().flatMap(type -> type.versions().stream()))
                .noneMatch(elsewhere::isEncodedFor);
    }

    @Test
    void bytesThatAreNotAnObjectAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ObjectCodec.INSTANCE.decode(MAPS, new byte[] {'[', ']'}));
    }
}
