package dev.evenkeel.examples.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.examples.catalog.v1.Genre;
import dev.evenkeel.examples.catalog.v1.RecordLabel;
import dev.evenkeel.examples.catalog.v2.Artist;
import dev.evenkeel.protobuf.ProtobufObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The types by themselves: scopes, access rules, versions, validation. */
class CatalogTypesTest {
    /** An artist in the first version. */
    static final class FirstArtist extends ProtobufObject<dev.evenkeel.examples.catalog.v1.Artist> {
        static final Kind<FirstArtist> KIND = ProtobufObject.kind(FirstArtist.class);

        FirstArtist() {
            super(dev.evenkeel.examples.catalog.v1.Artist.getDefaultInstance());
        }

        static FirstArtist of(ObjectKey key, dev.evenkeel.examples.catalog.v1.Artist data) {
            FirstArtist artist = new FirstArtist();
            artist.getMetadata().setNamespace(key.namespace());
            artist.getMetadata().setName(key.name());
            artist.data(data);
            return artist;
        }
    }

    private static final ObjectKey NINA = ObjectKey.of("default", "nina");

    private final Engine engine = engine();
    private final Client client = engine.client();

    private static Engine engine() {
        Engine.Builder builder = Engine.builder().executor(Runnable::run);
        CatalogTypes.all().forEach(builder::register);
        return builder.build();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static RecordLabelObject label(String name, boolean confidential) {
        return RecordLabelObject.of(
                name,
                RecordLabel.newBuilder()
                        .setTitle(name)
                        .addEditors("eve")
                        .setConfidential(confidential)
                        .build());
    }

    private ArtistObject create(Artist data) {
        return client.create(ArtistObject.KIND, ArtistObject.of(NINA, data), WriteOptions.DEFAULT);
    }

    private static List<String> names(Client by) {
        return by.list(RecordLabelObject.KIND, ListOptions.ALL).items().stream()
                .map(label -> label.getMetadata().getName())
                .toList();
    }

    @Test
    void aGenreIsOneForAllPartitions() {
        Genre jazz = Genre.newBuilder().setTitle("Jazz").build();
        GenreObject genre = GenreObject.of("jazz", jazz);
        assertThatExceptionOfType(ForbiddenException.class)
                .isThrownBy(() -> client.create(GenreObject.KIND, genre, WriteOptions.DEFAULT));
        var _ = engine.partition(Engine.SYSTEM_PARTITION)
                .client("test")
                .create(GenreObject.KIND, genre, WriteOptions.DEFAULT);
        for (String partition : List.of("default", "other")) {
            Client reader = engine.partition(partition).client("test");
            assertThat(reader.get(GenreObject.KIND, ObjectKey.cluster("jazz")).data())
                    .isEqualTo(jazz);
        }
    }

    @Test
    void aLabelBelongsToItsPartition() {
        var _ = client.create(RecordLabelObject.KIND, label("philips", false), WriteOptions.DEFAULT);
        assertThat(names(engine.partition("other").client("test"))).isEmpty();
    }

    @Test
    void aConfidentialLabelIsForItsEditors() {
        var _ = client.create(RecordLabelObject.KIND, label("open", false), WriteOptions.DEFAULT);
        var _ = client.create(RecordLabelObject.KIND, label("secret", true), WriteOptions.DEFAULT);
        Client eve = engine.as(User.of("eve"));
        Client bob = engine.as(User.of("bob"));
        assertThat(names(eve)).containsExactly("open", "secret");
        assertThat(names(bob)).containsExactly("open");
        assertThat(bob.find(RecordLabelObject.KIND, ObjectKey.cluster("secret")))
                .isEmpty();

        Patch patch = Patch.merge("{\"spec\":{\"editors\":[\"bob\"]}}");
        assertThatExceptionOfType(ForbiddenException.class)
                .isThrownBy(() ->
                        bob.patch(RecordLabelObject.KIND, ObjectKey.cluster("open"), patch, WriteOptions.DEFAULT));
        // she may change it, but not to something that she may not write
        assertThatExceptionOfType(ForbiddenException.class)
                .isThrownBy(() ->
                        eve.patch(RecordLabelObject.KIND, ObjectKey.cluster("open"), patch, WriteOptions.DEFAULT));
        assertThat(eve.patch(
                                RecordLabelObject.KIND,
                                ObjectKey.cluster("open"),
                                Patch.merge("{\"spec\":{\"title\":\"new\"}}"),
                                WriteOptions.DEFAULT)
                        .data()
                        .getTitle())
                .isEqualTo("new");
    }

    @Test
    void aListingHasNoData() {
        var _ = client.create(ListingObject.KIND, ListingObject.of(NINA), WriteOptions.DEFAULT);
        Encoded stored = client.get(ListingObject.KIND.encoded(), NINA);
        assertThat(new String(stored.json(), StandardCharsets.UTF_8)).doesNotContain("\"spec\"");
    }

    @Test
    void bothVersionsAreOfOneArtist() {
        var _ = create(Artist.newBuilder()
                .setTitle("Nina")
                .addGenres("jazz")
                .addGenres("soul")
                .build());
        FirstArtist first = client.get(FirstArtist.KIND, NINA);
        assertThat(first.data().getGenre()).isEqualTo("jazz,soul");

        first.data(first.data().toBuilder().setGenre("jazz, folk").build());
        var _ = client.update(FirstArtist.KIND, first, WriteOptions.DEFAULT);
        assertThat(client.get(ArtistObject.KIND, NINA).data().getGenresList()).containsExactly("jazz", "folk");
    }

    @Test
    void genresDifferAndTitlesAreStripped() {
        assertThat(create(Artist.newBuilder().setTitle("  Nina ").build())
                        .data()
                        .getTitle())
                .isEqualTo("Nina");
        assertThatExceptionOfType(InvalidException.class)
                .isThrownBy(() -> client.patch(
                        ArtistObject.KIND,
                        NINA,
                        Patch.merge("{\"spec\":{\"genres\":[\"jazz\",\"soul\",\"jazz\"]}}"),
                        WriteOptions.DEFAULT))
                .withMessageContaining("spec.genres[2]: Duplicate value: \"jazz\"");
        assertThatExceptionOfType(InvalidException.class)
                .isThrownBy(() -> client.patch(
                        ArtistObject.KIND, NINA, Patch.merge("{\"spec\":{\"title\":\"\"}}"), WriteOptions.DEFAULT))
                .withMessageContaining("spec.title");
    }
}
