package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.examples.catalog.v1.Album;
import dev.evenkeel.examples.catalog.v1.RecordLabel;
import dev.evenkeel.examples.catalog.v1.Track;
import dev.evenkeel.examples.catalog.v2.Artist;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import org.junit.jupiter.api.Test;

/** All three controllers in one process: whatever goes wrong on the way, statuses and listings are right in the end. */
class CatalogConvergenceTest {
    private static ArtistObject artist(String name, String label) {
        Artist data = Artist.newBuilder().setTitle(name).setRecordLabel(label).build();
        return ArtistObject.of(ObjectKey.of("default", name), data);
    }

    private static AlbumObject album(String name, String artist) {
        Album data = Album.newBuilder()
                .setTitle(name)
                .setArtist(artist)
                .addTracks(Track.newBuilder().setTitle("one").setSeconds(60))
                .build();
        return AlbumObject.of(ObjectKey.of("default", name), data);
    }

    private static RecordLabelObject label(String name) {
        return RecordLabelObject.of(
                name, RecordLabel.newBuilder().setTitle(name).build());
    }

    @Test
    void converges() {
        Convergence.of(ProfileReconciler::controller)
                .controller(_ -> DiscographyReconciler.controller())
                .controller(_ -> ReleaseReconciler.controller())
                .types(CatalogTypes.all().toArray(TypeSource[]::new))
                .given(
                        Given.of(label("philips")),
                        Given.of(artist("nina", "philips")),
                        Given.of(artist("odetta", "")),
                        Given.of(album("live", "nina")))
                .edit(
                        "the album moves",
                        client -> client.patch(
                                AlbumObject.KIND,
                                ObjectKey.of("default", "live"),
                                Patch.merge("{\"spec\":{\"artist\":\"odetta\"}}"),
                                WriteOptions.DEFAULT))
                .edit(
                        "a label is missing",
                        client -> client.patch(
                                ArtistObject.KIND,
                                ObjectKey.of("default", "odetta"),
                                Patch.merge("{\"spec\":{\"recordLabel\":\"verve\"}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }
}
