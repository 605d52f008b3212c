package dev.evenkeel.examples.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.examples.catalog.v1.Album;
import dev.evenkeel.examples.catalog.v1.Genre;
import dev.evenkeel.examples.catalog.v1.RecordLabel;
import dev.evenkeel.examples.catalog.v1.Track;
import dev.evenkeel.examples.catalog.v2.Artist;
import dev.evenkeel.protobuf.StatusPart;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/** The life-cycle body: one change after another, and after each the result of it. */
final class CatalogLifeCycle {
    private static final ObjectKey NINA = ObjectKey.of("default", "nina");
    private static final ObjectKey ODETTA = ObjectKey.of("default", "odetta");
    private static final ObjectKey ALBUM = ObjectKey.of("default", "live");

    private final Catalog catalog;
    private final Client client;

    private CatalogLifeCycle(Catalog catalog) {
        this.catalog = catalog;
        this.client = catalog.client();
    }

    static void run(Catalog catalog) {
        CatalogLifeCycle body = new CatalogLifeCycle(catalog);
        body.anArtistWaitsForItsLabelAndGenre();
        body.anAlbumIsListed();
        body.anAlbumMoves();
        body.aLabelIsDeleted();
        body.anArtistIsDeleted();
        body.anAlbumIsDeleted();
    }

    private static <T extends HasMetadata> void create(Client by, Kind<T> kind, T object) {
        var _ = by.create(kind, object, WriteOptions.DEFAULT);
    }

    private void patch(Kind<?> kind, ObjectKey key, String merge) {
        var _ = client.patch(kind, key, Patch.merge(merge), WriteOptions.DEFAULT);
    }

    private void expectProfile(ObjectKey artist, String type, String reason) {
        catalog.eventually(
                () -> expect(client.get(ArtistObject.KIND, artist).status(ProfileReconciler.KEY), type, reason));
    }

    private void expectRelease(String type, String reason) {
        catalog.eventually(
                () -> expect(client.get(AlbumObject.KIND, ALBUM).status(ReleaseReconciler.KEY), type, reason));
    }

    private static void expect(Optional<StatusPart> part, String type, String reason) {
        assertThat(part.flatMap(it -> Conditions.find(it.conditions(), type)).map(Condition::getReason))
                .contains(reason);
    }

    private void expectAlbums(ObjectKey artist, int albums, int tracks) {
        catalog.eventually(() -> assertThat(client.get(ArtistObject.KIND, artist)
                        .status(DiscographyReconciler.KEY)
                        .map(StatusPart::fields))
                .contains(Map.of("albums", albums, "tracks", tracks)));
    }

    private void expectListed(boolean listed) {
        catalog.eventually(() ->
                assertThat(client.find(ListingObject.KIND, ALBUM).isPresent()).isEqualTo(listed));
    }

    private void anArtistWaitsForItsLabelAndGenre() {
        Artist nina = Artist.newBuilder()
                .setTitle("Nina Simone")
                .addGenres("jazz")
                .setRecordLabel("philips")
                .build();
        create(client, ArtistObject.KIND, ArtistObject.of(NINA, nina));
        expectProfile(NINA, "Ready", "NotFound");
        RecordLabel philips = RecordLabel.newBuilder().setTitle("Philips").build();
        create(client, RecordLabelObject.KIND, RecordLabelObject.of("philips", philips));
        expectProfile(NINA, ProfileReconciler.LABEL_FOUND, "Found");
        expectProfile(NINA, ProfileReconciler.GENRES_FOUND, "NotFound");
        Genre jazz = Genre.newBuilder().setTitle("Jazz").build();
        create(catalog.system(), GenreObject.KIND, GenreObject.of("jazz", jazz));
        expectProfile(NINA, "Ready", "Ready");
        expectAlbums(NINA, 0, 0);
    }

    private void anAlbumIsListed() {
        Album live = Album.newBuilder()
                .setTitle("In Concert")
                .setArtist("nina")
                .addTracks(Track.newBuilder().setTitle("I Loves You, Porgy").setSeconds(152))
                .build();
        create(client, AlbumObject.KIND, AlbumObject.of(ALBUM, live));
        expectRelease("Ready", "Ready");
        expectListed(true);
        expectAlbums(NINA, 1, 1);
    }

    private void anAlbumMoves() {
        patch(AlbumObject.KIND, ALBUM, "{\"spec\":{\"artist\":\"odetta\"}}");
        expectRelease(ReleaseReconciler.ARTIST_READY, "NotFound");
        expectListed(false);
        expectAlbums(NINA, 0, 0);
        Artist odetta =
                Artist.newBuilder().setTitle("Odetta").setRecordLabel("philips").build();
        create(client, ArtistObject.KIND, ArtistObject.of(ODETTA, odetta));
        expectRelease("Ready", "Ready");
        expectListed(true);
        expectAlbums(ODETTA, 1, 1);
    }

    private void aLabelIsDeleted() {
        var _ = client.delete(RecordLabelObject.class, ObjectKey.cluster("philips"));
        expectProfile(ODETTA, "Ready", "NotFound");
        expectRelease(ReleaseReconciler.ARTIST_READY, "ArtistNotReady");
        expectListed(false);
        patch(ArtistObject.KIND, ODETTA, "{\"spec\":{\"recordLabel\":null}}");
        expectProfile(ODETTA, ProfileReconciler.LABEL_FOUND, "NoLabel");
        expectListed(true);
    }

    private void anArtistIsDeleted() {
        var _ = client.delete(ArtistObject.class, ODETTA);
        expectRelease(ReleaseReconciler.ARTIST_READY, "NotFound");
        expectListed(false);
        patch(AlbumObject.KIND, ALBUM, "{\"spec\":{\"artist\":\"nina\"}}");
        expectAlbums(NINA, 1, 1);
    }

    private void anAlbumIsDeleted() {
        var _ = client.delete(AlbumObject.class, ALBUM);
        expectListed(false);
        expectAlbums(NINA, 0, 0);
    }
}
