package dev.evenkeel.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import dev.evenkeel.engine.spi.Store;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeysTest {
    private final Keys keys = new Keys("/shop/");

    static Stream<Store.Key> all() {
        return Stream.of(
                new Store.Key("default/deployments.apps", "a", "web"),
                new Store.Key("default/nodes", "", "one"),
                new Store.Key("default/x", "50%", "a/b%2Fc"),
                new Store.Key("100%25/y", "", "%"),
                new Store.Key("c", "n", "Gr\u00fc\u00dfe\uD83D\uDE00"));
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyKeyIsReadAsItWasWritten(Store.Key key) {
        assertThat(keys.parse(keys.of(key))).isEqualTo(key);
        assertThat(keys.of(key).startsWith(keys.objects(key.collection(), key.namespace())))
                .isTrue();
    }

    @Test
    void keysAreReadableWithEtcdctl() {
        assertThat(keys.of(new Store.Key("default/deployments.apps", "a", "web"))
                        .toStringUtf8())
                .isEqualTo("/shop/objects/default/deployments.apps/a/web");
        assertThat(keys.of(new Store.Key("default/nodes", "", "one")).toStringUtf8())
                .isEqualTo("/shop/objects/default/nodes//one");
    }

    @Test
    void otherKeysAreRefused() {
        for (String key : new String[] {"/shop/objects/x", "/shop/objects/x/y", "/shop/objects/"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> keys.parse(ByteString.copyFromUtf8(key)))
                    .withMessage("the key " + key + " is not one of an object");
        }
    }

    @Test
    void aRangeEndsBehindItsPrefix() {
        assertThat(Keys.end(ByteString.copyFromUtf8("/a/")).toStringUtf8()).isEqualTo("/a0");
    }
}
