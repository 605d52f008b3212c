package dev.evenkeel.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.protobuf.demo.v1.Artist;
import dev.evenkeel.protobuf.demo.v1.Genre;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProtobufObjectTest {
    static final class ArtistObject extends ProtobufObject<Artist> {
        static final Kind<ArtistObject> KIND = ProtobufObject.kind(ArtistObject.class);

        ArtistObject() {
            super(Artist.getDefaultInstance());
        }

        static ArtistObject of(String name, Artist data) {
            ArtistObject object = new ArtistObject();
            object.getMetadata().setNamespace("default");
            object.getMetadata().setName(name);
            object.data(data);
            return object;
        }
    }

    private static final Artist NINA = Artist.newBuilder()
            .setName("Nina Simone")
            .setGenre(Genre.GENRE_JAZZ)
            .setPlays(1L << 60)
            .build();

    private static final StatusPart READY = StatusPart.EMPTY
            .observedGeneration(1)
            .conditions(List.of(new ConditionBuilder()
                    .withType("Ready")
                    .withStatus("True")
                    .withReason("Indexed")
                    .build()))
            .fields(Map.of("documents", 3));

    private static Engine engine() {
        return Engine.builder()
                .register(ProtobufType.of(Artist.getDefaultInstance()).build())
                .build();
    }

    @Test
    void theKindIsThatOfTheMessage() {
        assertThat(ArtistObject.KIND.apiVersion()).isEqualTo("catalog.demo.example.com/v1");
        assertThat(ArtistObject.KIND.id()).isEqualTo("artists.catalog.demo.example.com");
        assertThat(ArtistObject.KIND.namespaced()).isTrue();
        assertThat(new ArtistObject().getKind()).isEqualTo("Artist");
        assertThat(new ArtistObject().getApiVersion()).isEqualTo("catalog.demo.example.com/v1");
    }

    @Test
    void dataAreWrittenAndReadByAClient() {
        try (Engine engine = engine()) {
            Client client = engine.client();
            ArtistObject created =
                    client.create(ArtistObject.KIND, ArtistObject.of("nina", NINA), WriteOptions.DEFAULT);
            assertThat(created.data()).isEqualTo(NINA);
            ArtistObject read = client.get(ArtistObject.KIND, ObjectKey.of("default", "nina"));
            assertThat(read).isEqualTo(created);
            assertThat(read.data().getPlays()).isEqualTo(1L << 60);
            read.data(NINA.toBuilder().setPlays(2).build());
            assertThat(client.update(ArtistObject.KIND, read, WriteOptions.DEFAULT)
                            .data()
                            .getPlays())
                    .isEqualTo(2);
        }
    }

    @Test
    void unknownFieldsAreKept() {
        Artist more = NINA.toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                999,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFromUtf8("new"))
                                        .build())
                        .build())
                .build();
        try (Engine engine = engine()) {
            Client client = engine.client();
            client.create(ArtistObject.KIND, ArtistObject.of("nina", more), WriteOptions.DEFAULT);
            ArtistObject read = client.get(ArtistObject.KIND, ObjectKey.of("default", "nina"));
            assertThat(read.data()).isEqualTo(more);
            read.data(read.data().toBuilder().setPlays(2).build());
            client.update(ArtistObject.KIND, read, WriteOptions.DEFAULT);
            assertThat(client.get(ArtistObject.KIND, ObjectKey.of("default", "nina"))
                            .data()
                            .getUnknownFields()
                            .hasField(999))
                    .isTrue();
        }
    }

    @Test
    void eachControllerHasAPartOfTheStatus() {
        try (Engine engine = engine()) {
            Client client = engine.client();
            ArtistObject object = client.create(ArtistObject.KIND, ArtistObject.of("nina", NINA), WriteOptions.DEFAULT);
            object.status("indexer", READY);
            ArtistObject written = client.updateStatus(ArtistObject.KIND, object, WriteOptions.DEFAULT);
            assertThat(written.status("indexer")).contains(READY);
            assertThat(written.status("other")).isEmpty();
            assertThat(written.getMetadata().getGeneration()).isEqualTo(1);
            written.removeStatus("indexer");
            assertThat(client.updateStatus(ArtistObject.KIND, written, WriteOptions.DEFAULT)
                            .status("indexer"))
                    .isEmpty();
        }
    }

    @Test
    void withoutDataThereIsNoSpec() {
        assertThat(new ArtistObject().data()).isEqualTo(Artist.getDefaultInstance());
        byte[] json = ModelCodec.encode(new ArtistObject());
        assertThat(new String(json, StandardCharsets.UTF_8))
                .doesNotContain("spec")
                .contains("\"kind\":\"Artist\"");
        assertThat(ModelCodec.decode(json, ArtistObject.class)).isEqualTo(new ArtistObject());
    }

    private static final class Unconstructible extends ProtobufObject<Artist> {
        private Unconstructible(Artist prototype) {
            super(prototype);
        }
    }

    @Test
    void aClassWithoutAConstructorIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProtobufObject.kind(Unconstructible.class))
                .withMessageContaining("needs a constructor without parameters");
    }
}
