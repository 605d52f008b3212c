package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtobufFormatTest {
    private static final long SEED = Long.getLong("protobuf.seed", 1);
    private static final int COUNT = Integer.getInteger("protobuf.count", 2000);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static void refuses(byte[] body, String message) {
        assertThatThrownBy(() -> ProtobufFormat.decode(ProtobufFormat.open(body)))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessage(message);
    }

    /** Returns a body of a kind with a message in hex. */
    private static byte[] body(String kind, String message) {
        byte[] raw = bytes(message);
        BackwardWriter out = new BackwardWriter(16);
        out.bytes(2, raw);
        int before = out.size();
        out.text(2, kind);
        out.text(1, "v1");
        out.delimit(1, before);
        out.raw(bytes("6b387300"));
        return out.toByteArray();
    }

    @Test
    void bytesThatAreNoEnvelopeAreRefused() {
        refuses(new byte[0], "empty data");
        refuses(bytes("6b387300"), "empty body");
        refuses(
                bytes("000000"),
                "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
        refuses(bytes("6b387300 0aff"), "unexpected EOF");
    }

    @Test
    void bytesThatAreNoMessageAreRefusedInTheWordsOfGo() {
        refuses(body("ConfigMap", "0a05"), "unexpected EOF");
        refuses(body("ConfigMap", "08 01"), "proto: wrong wireType = 0 for field ObjectMeta");
        refuses(body("ConfigMap", "02 00"), "proto: ConfigMap: illegal tag 0 (wire type 2)");
        refuses(body("ConfigMap", "0c"), "proto: ConfigMap: wiretype end group for non-group");
        refuses(body("ConfigMap", "7e"), "proto: illegal wireType 6");
        refuses(body("ConfigMap", "0a ffffffffffffffffff01"), "proto: negative length found during unmarshaling");
        refuses(body("ConfigMap", "20 ffffffffffffffffffff01"), "proto: integer overflow");
        refuses(body("ConfigMap", "20 80"), "unexpected EOF");
    }

    @Test
    void unknownFieldsAndGroupsAreSkipped() {
        byte[] body = body("ConfigMap", "7a0161 7b 0800 7c 78ff01 7d01020304 790102030405060708 2001");
        assertThat(ProtobufFormat.decode(ProtobufFormat.open(body)))
                .isEqualTo(BuiltinDecoderTest.tree(
                        "{'kind':'ConfigMap','apiVersion':'v1','metadata':{},'immutable':true}"));
    }

    @Test
    void structsThatOccurTwiceAreMerged() {
        byte[] body = body("ConfigMap", "0a03 0a0161 0a03 1a0162");
        assertThat(ProtobufFormat.decode(ProtobufFormat.open(body)).object("metadata"))
                .isEqualTo(BuiltinDecoderTest.tree("{'name':'a','namespace':'b'}"));
    }

    @Test
    void numbersMayBePacked() {
        // spec.securityContext.supplementalGroups: 14, 4
        byte[] groups = body("Pod", "1206 7204 2202 0709");
        assertThat(ProtobufFormat.decode(ProtobufFormat.open(groups))
                        .array("spec", "securityContext", "supplementalGroups"))
                .containsExactly(7L, 9L);
    }

    @Test
    void aSchemaThatIsTooDeepIsRefused() {
        byte[] message = {};
        for (int i = 0; i < 1000; i++) {
            BackwardWriter out = new BackwardWriter(message.length + 8);
            out.bytes(27, message); // not
            message = out.toByteArray();
        }
        BackwardWriter out = new BackwardWriter(message.length + 64);
        out.bytes(1, message);
        out.delimit(4, 0);
        out.delimit(7, 0);
        out.delimit(2, 0);
        ProtobufFormat.Envelope envelope =
                new ProtobufFormat.Envelope("apiextensions.k8s.io/v1", "CustomResourceDefinition", out.toByteArray());
        assertThatThrownBy(() -> ProtobufFormat.decode(envelope))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessageContaining("exceeded max depth");
    }

    @Test
    void anUnknownKindHasNoFields() {
        assertThat(ProtobufFormat.decode(ProtobufFormat.open(body("Nothing", "ffff"))))
                .isEqualTo(BuiltinDecoderTest.tree("{'kind':'Nothing','apiVersion':'v1'}"));
        assertThat(ProtobufFormat.covers("v1", "Nothing")).isFalse();
        assertThat(ProtobufFormat.covers("meta.k8s.io/v1", "Table")).isFalse();
        assertThat(ProtobufFormat.covers("apps/v1", "DeleteOptions")).isTrue();
        assertThat(ProtobufFormat.covers("meta.k8s.io/v1", "PartialObjectMetadataList"))
                .isTrue();
    }

    @Test
    void everyKindThatIsServedIsCovered() {
        BuiltinTypes.all()
                .forEach(type -> type.versions().forEach(version -> {
                    String apiVersion = type.group().isEmpty() ? version.name() : type.group() + "/" + version.name();
                    assertThat(ProtobufFormat.covers(apiVersion, type.kind()))
                            .as(type.id())
                            .isTrue();
                    if (!type.listKind().isEmpty()) {
                        String list = ProtobufFormat.definition(apiVersion, type.listKind())
                                .orElseThrow();
                        assertThat(MessageLayout.of(list).parts().stream().map(MessageLayout.Part::number))
                                .as(list)
                                .containsExactly(1, 2);
                    }
                }));
    }

    /** The recorded bodies of requests and answers come from Go: encoded again they must be the same bytes. */
    @Test
    void recordedBodiesAreEncodedToTheSameBytes() throws IOException {
        int bodies = 0;
        for (String line : Files.readAllLines(SharedData.of("transcripts/builtin/protobuf.jsonl"))) {
            JsonObject record = Json.parseObject(line.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
            if (record.has("watch")) {
                continue;
            }
            for (String text : List.of(record.string("bodyBase64"), record.string("request", "bodyBase64"))) {
                byte[] body = Base64.getDecoder().decode(text);
                // embedded JSON is written without blanks
                boolean blanks = new String(body, StandardCharsets.ISO_8859_1).contains("\": ");
                if (ProtobufFormat.isEnvelope(body) && !blanks) {
                    JsonObject tree = ProtobufFormat.decode(ProtobufFormat.open(body));
                    assertThat(HexFormat.of().formatHex(ProtobufFormat.encode(tree)))
                            .as(record.string("id") + " " + Json.text(tree))
                            .isEqualTo(HexFormat.of().formatHex(body));
                    bodies++;
                }
            }
        }
        assertThat(bodies).isGreaterThan(100);
    }

    @Test
    void aListWrittenInPiecesIsTheListEncodedAtOnce() throws IOException {
        JsonObject head = BuiltinDecoderTest.tree(
                "{'kind':'ConfigMapList','apiVersion':'v1','metadata':{'resourceVersion':'7'}}");
        List<JsonObject> items = new ArrayList<>();
        List<byte[]> messages = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            JsonObject item = BuiltinDecoderTest.tree(
                    "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'a" + "x".repeat(100 * i) + "'}}");
            messages.add(ProtobufFormat.message(item));
            items.add(item);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ProtobufFormat.writeList(out, head, messages.size(), messages::get);
        head.put("items", items);
        assertThat(out.toByteArray()).isEqualTo(ProtobufFormat.encode(head));
    }

    @Test
    void anEventHoldsABody() {
        JsonObject object = BuiltinDecoderTest.tree(
                "{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'a'},'data':{'a':'b'}}");
        byte[] event = ProtobufFormat.event("ADDED", ProtobufFormat.encode(object));
        JsonObject decoded = ProtobufFormat.decode(new ProtobufFormat.Envelope("v1", "WatchEvent", event));
        assertThat(decoded.string("type")).isEqualTo("ADDED");
        assertThat(decoded.object("object")).isEqualTo(object);
    }

    @Test
    void objectsOfEveryTypeSurviveTheRoundTrip() {
        Random random = new Random(SEED);
        for (String name : FactTable.INSTANCE.names()) {
            TypeFacts type = FactTable.INSTANCE.type(name);
            if (type.form() != ValueForm.STRUCT
                    || type.fields().values().stream().allMatch(f -> f.path().isEmpty())) {
                continue;
            }
            for (int i = 0; i < 5; i++) {
                JsonObject tree = new RandomTrees(random).struct(type, 4);
                BuiltinDecoder.normalize(tree, name);
                BackwardWriter out = new BackwardWriter(64);
                new ProtobufEncoder(out).fields(tree, MessageLayout.of(name));
                JsonObject back = new JsonObject();
                new ProtobufDecoder().fields(new ProtobufReader(out.toByteArray()), back, MessageLayout.of(name));
                BuiltinDecoder.normalize(back, name);
                assertThat(Json.text(Json.sorted(back)))
                        .as("seed " + SEED + " " + name)
                        .isEqualTo(Json.text(Json.sorted(tree)));
            }
        }
    }

    @Test
    void mutatedBodiesAreReadOrRefused() {
        Random random = new Random(SEED);
        List<byte[]> bodies = new ArrayList<>();
        BuiltinTypes.all()
                .forEach(type -> type.versions().forEach(version -> {
                    JsonObject tree = new RandomTrees(random)
                            .struct(FactTable.INSTANCE.type(version.schema().reference()), 6);
                    BuiltinDecoder.normalize(tree, version.schema().reference());
                    tree.put("kind", type.kind());
                    tree.put(
                            "apiVersion",
                            type.group().isEmpty() ? version.name() : type.group() + "/" + version.name());
                    bodies.add(ProtobufFormat.encode(tree));
                }));
        for (int i = 0; i < COUNT; i++) {
            byte[] body = bodies.get(random.nextInt(bodies.size())).clone();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                body = mutated(body, random);
            }
            try {
                JsonObject tree = ProtobufFormat.decode(ProtobufFormat.open(body));
                Json.write(tree);
                if (ProtobufFormat.covers(tree.string("apiVersion"), tree.string("kind"))) {
                    JsonObject again = ProtobufFormat.decode(ProtobufFormat.open(ProtobufFormat.encode(tree)));
                    assertThat(Json.text(Json.sorted(again))).isEqualTo(Json.text(Json.sorted(tree)));
                }
            } catch (MalformedObjectException e) {
                assertThat(e.getMessage()).isNotBlank();
            } catch (RuntimeException | Error e) {
                fail("seed " + SEED + ", mutation " + i + ": " + HexFormat.of().formatHex(body), e);
            }
        }
    }

    private static byte[] mutated(byte[] body, Random random) {
        int at = 4 + random.nextInt(Math.max(1, body.length - 4));
        if (at >= body.length) {
            return body;
        }
        switch (random.nextInt(4)) {
            case 0 -> body[at] = (byte) random.nextInt(256);
            case 1 -> body[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> {
                return Arrays.copyOf(body, at);
            }
            default -> {
                int from = random.nextInt(body.length);
                int length = Math.min(random.nextInt(20), body.length - Math.max(at, from));
                System.arraycopy(body.clone(), from, body, at, length);
            }
        }
        return body;
    }
}
