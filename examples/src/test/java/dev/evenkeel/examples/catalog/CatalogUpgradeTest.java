package dev.evenkeel.examples.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.examples.catalog.CatalogTypesTest.FirstArtist;
import dev.evenkeel.examples.catalog.v1.Artist;
import dev.evenkeel.protobuf.ProtobufType;
import dev.evenkeel.protobuf.StatusPart;
import dev.evenkeel.store.sqlite.SqliteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that knows both versions of artists continues with the store of one that knew the first version only. */
@Timeout(300)
class CatalogUpgradeTest {
    private static final long SEED = 7;

    @TempDir
    Path directory;

    /** The types before version 2 of artists. */
    private static List<TypeSource> before() {
        return List.of(
                CatalogTypes.genre(),
                CatalogTypes.recordLabel(),
                ProtobufType.of(Artist.getDefaultInstance()).build(),
                CatalogTypes.album(),
                CatalogTypes.listing());
    }

    @SuppressWarnings("unchecked") // of its own class
    private static <T extends HasMetadata> void create(Client client, T object) {
        var _ = client.create(Kind.of((Class<T>) object.getClass()), object, WriteOptions.DEFAULT);
    }

    private void publishBefore(CatalogLoad load) {
        try (CatalogInProcess old =
                CatalogInProcess.start(SEED, Optional.of(SqliteOptions.in(directory)), before(), List.of())) {
            load.genres().forEach(genre -> create(old.system(), genre));
            for (HasMetadata object : load.objects()) {
                create(
                        old.client(),
                        object instanceof ArtistObject artist
                                ? FirstArtist.of(ObjectKey.of(artist), CatalogTypes.downgrade(artist.data()))
                                : object);
            }
            var _ = old.client()
                    .patchStatus(
                            FirstArtist.KIND,
                            ObjectKey.of("default", "artist-0"),
                            Patch.merge("{\"status\":{\"charts\":{\"rank\":3}}}"),
                            WriteOptions.DEFAULT);
        }
    }

    private CatalogInProcess startAfter() {
        return CatalogInProcess.start(
                SEED, Optional.of(SqliteOptions.in(directory)), CatalogTypes.all(), CatalogControllers.all());
    }

    @Test
    void objectsOfTheFirstVersionAreReadAndReconciled() {
        publishBefore(new CatalogLoad(SEED, 6));
        try (CatalogInProcess catalog = startAfter()) {
            for (HasMetadata object : new CatalogLoad(SEED, 6).objects()) {
                if (object instanceof ArtistObject artist) {
                    assertThat(catalog.client()
                                    .get(ArtistObject.KIND, ObjectKey.of(artist))
                                    .data())
                            .isEqualTo(artist.data());
                }
            }
            CatalogOneShot.verify(catalog);
            assertThat(catalog.client()
                            .get(ArtistObject.KIND, ObjectKey.of("default", "artist-0"))
                            .status("charts"))
                    .map(StatusPart::fields)
                    .hasValueSatisfying(fields -> assertThat(fields).containsEntry("rank", 3));
        }
    }

    @Test
    void clientsOfTheFirstVersionContinue() {
        CatalogLoad load = new CatalogLoad(SEED, 6);
        publishBefore(load);
        ObjectKey key = ObjectKey.of("default", "artist-1");
        try (CatalogInProcess catalog = startAfter()) {
            FirstArtist artist = catalog.client().get(FirstArtist.KIND, key);
            artist.data(artist.data().toBuilder().setGenre("folk, soul").build());
            var _ = catalog.client().update(FirstArtist.KIND, artist, WriteOptions.DEFAULT);
            assertThat(catalog.client().get(ArtistObject.KIND, key).data().getGenresList())
                    .containsExactly("folk", "soul");
            for (int i = 0; i < 10; i++) {
                load.change(catalog.client());
            }
            CatalogOneShot.verify(catalog);
        }
        // and once more, with objects of both versions in the store
        try (CatalogInProcess catalog = startAfter()) {
            CatalogOneShot.verify(catalog);
        }
    }
}
