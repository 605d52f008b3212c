package dev.evenkeel.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Listing;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListReaderTest {
    private static final Kind<Encoded> MAPS = Kind.of(ConfigMap.class).encoded();
    private static final int LIMIT = 1 << 20;

    /** Gives few bytes at a time, so that everything is cut somewhere. */
    private static final class Trickle extends InputStream {
        private final ByteArrayInputStream in;
        private final int most;

        Trickle(String text, int most) {
            in = new ByteArrayInputStream(text.getBytes(UTF_8));
            this.most = most;
        }

        @Override
        public int read() {
            return in.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return in.read(target, offset, Math.min(length, most));
        }
    }

    private static Listing<Encoded> read(String text) throws IOException {
        return ListReader.read(MAPS, new Trickle(text, 1000), LIMIT);
    }

    @Test
    void itemsAreCutOutWithTheirKindInFront() throws IOException {
        String text = """
                { "metadata" : {"resourceVersion":"5","continue":"c","x":{"items":[1]}}, "kind":"ConfigMapList", "other": [ {"items":[]} , null, 1.5e3, true ],
                  "items" : [ {"metadata":{"name":"\u00fc\\"}]\\\\"},"data":{"kind":"x","apiVersion":"y"}} ,
                  {"kind":"ConfigMap","metadata":{}},{ "apiVersion" : "v1" , "metadata":{} },{"metadata":{},"kind":"ConfigMap","apiVersion":"v1"} ] , "apiVersion":"v1" }
                """;
        for (int most : new int[] {1, 2, 3, 7, 1000}) {
            Listing<Encoded> listing = ListReader.read(MAPS, new Trickle(text, most), LIMIT);

            assertThat(listing.items())
                    .extracting(Encoded::toString)
                    .containsExactly(
                            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"\u00fc\\\"}]\\\\\"},\"data\":{\"kind\":\"x\",\"apiVersion\":\"y\"}}",
                            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{}}",
                            "{\"kind\":\"ConfigMap\", \"apiVersion\" : \"v1\" , \"metadata\":{} }",
                            "{\"metadata\":{},\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}");
            assertThat(listing.resourceVersion()).isEqualTo("5");
            assertThat(listing.continueToken()).isEqualTo("c");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"items\":null}",
                "{\"items\":[]}",
                "{\"kind\":null,\"metadata\":null,\"items\":[ ]}",
                "{\"kind\":\"Status\",\"status\":\"Success\"}",
                " {\"kind\":\"List\",\"metadata\":{},\"items\":[]} "
            })
    void listsMayBeEmpty(String text) throws IOException {
        assertThat(read(text)).isEqualTo(new Listing<Encoded>(java.util.List.of(), "", ""));
    }

    @Test
    void everyTruncationIsNoticed() {
        String text = "{\"kind\":\"ConfigMapList\",\"items\":[{\"metadata\":{\"name\":\"a\\\"b\"}}],\"x\":1}";
        for (int length = 0; length < text.length(); length++) {
            String cut = text.substring(0, length);
            assertThatThrownBy(() -> read(cut)).as(cut).isInstanceOf(EOFException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "<html>",
                "{\"items\":[1]}",
                "{\"items\":[{}]}",
                "{\"items\":[null]}",
                "{items:[]}",
                "{\"items\":}",
                "{\"items\" []}"
            })
    void invalidListsAreRefused(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(KubernetesClient.UnexpectedAnswerException.class);
    }

    @Test
    void oneObjectIsNotAList() {
        assertThatThrownBy(() -> read("{\"kind\":\"ConfigMap\",\"metadata\":{}}"))
                .isInstanceOf(KubernetesClient.UnexpectedAnswerException.class)
                .hasMessageContaining("one ConfigMap where a list of configmaps belongs");
    }

    @Test
    void aSingleItemIsLimitedAndTheirNumberIsNot() throws IOException {
        String item = "{\"metadata\":{\"name\":\"" + "n".repeat(1000) + "\"}}";
        String many = "{\"items\":[" + (item + ",").repeat(999) + item + "]}";
        assertThat(ListReader.read(MAPS, new Trickle(many, 100_000), 100_000).items())
                .hasSize(1000);
        String large = "{\"items\":[{\"a\":\"" + "n".repeat(200_000) + "\"}]}";
        assertThatThrownBy(() -> ListReader.read(MAPS, new Trickle(large, 100_000), 100_000))
                .isInstanceOf(KubernetesClient.UnexpectedAnswerException.class)
                .hasMessageContaining("maxObjectBytes");
    }
}
