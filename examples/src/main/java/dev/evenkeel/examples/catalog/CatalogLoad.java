package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.examples.catalog.v1.Album;
import dev.evenkeel.examples.catalog.v1.Genre;
import dev.evenkeel.examples.catalog.v1.RecordLabel;
import dev.evenkeel.examples.catalog.v1.Track;
import dev.evenkeel.examples.catalog.v2.Artist;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A catalogue of random content, and random changes of it: the same for the same seed. It has a record label for five
 * artists, and two albums for each of them.
 */
public final class CatalogLoad {
    private static final String NAMESPACE = "default";
    private static final List<String> GENRES = List.of("blues", "folk", "jazz", "soul");
    private static final List<String> WORDS =
            List.of("Amber", "Cedar", "Harbour", "Lantern", "Meadow", "North", "Paper", "River", "Silver", "Winter");

    private final SplittableRandom random;
    private final int artists;

    /**
     * Creates a load.
     *
     * @param artists number of artists, at least 1
     */
    public CatalogLoad(long seed, int artists) {
        if (artists < 1) {
            throw new IllegalArgumentException("artists must be at least 1: " + artists);
        }
        this.random = new SplittableRandom(seed);
        this.artists = artists;
    }

    private int labels() {
        return 1 + artists / 5;
    }

    private int albums() {
        return 2 * artists;
    }

    /** Returns the genres, which are written in the system partition. */
    public List<GenreObject> genres() {
        return GENRES.stream()
                .map(name ->
                        GenreObject.of(name, Genre.newBuilder().setTitle(name).build()))
                .toList();
    }

    /** Returns all other objects: the labels, then the artists, then the albums. */
    public List<HasMetadata> objects() {
        List<HasMetadata> objects = new ArrayList<>();
        for (int i = 0; i < labels(); i++) {
            objects.add(RecordLabelObject.of(
                    label(i),
                    RecordLabel.newBuilder()
                            .setTitle(title())
                            .addEditors("editor-" + i)
                            .setConfidential(random.nextInt(4) == 0)
                            .build()));
        }
        for (int i = 0; i < artists; i++) {
            Artist.Builder artist = Artist.newBuilder().setTitle(title()).setRecordLabel(anyLabel());
            GENRES.stream().filter(genre -> random.nextInt(3) == 0).forEach(artist::addGenres);
            objects.add(ArtistObject.of(ObjectKey.of(NAMESPACE, artist(i)), artist.build()));
        }
        for (int i = 0; i < albums(); i++) {
            objects.add(album(i));
        }
        return objects;
    }

    private AlbumObject album(int number) {
        Album.Builder album = Album.newBuilder().setTitle(title()).setArtist(anyArtist());
        IntStream.rangeClosed(0, random.nextInt(4))
                .forEach(track ->
                        album.addTracks(Track.newBuilder().setTitle(title()).setSeconds(60 + random.nextInt(240))));
        return AlbumObject.of(ObjectKey.of(NAMESPACE, "album-" + number), album.build());
    }

    /**
     * Makes a random change: an album moves to another artist, or is withdrawn or published again; or an artist moves to
     * another label, which may not exist yet.
     *
     * @return a line that describes it
     */
    public String change(Client client) {
        int number = random.nextInt(albums());
        ObjectKey album = ObjectKey.of(NAMESPACE, "album-" + number);
        boolean present = client.find(AlbumObject.KIND, album).isPresent();
        if (!present) {
            var _ = client.create(AlbumObject.KIND, album(number), WriteOptions.DEFAULT);
            return album + " is published";
        }
        return switch (random.nextInt(4)) {
            case 0 -> {
                var _ = client.delete(AlbumObject.class, album);
                yield album + " is withdrawn";
            }
            case 1 -> {
                String artist = artist(random.nextInt(artists));
                String label = label(random.nextInt(labels() + 1));
                yield set(client, ArtistObject.KIND, ObjectKey.of(NAMESPACE, artist), "recordLabel", label);
            }
            default -> set(client, AlbumObject.KIND, album, "artist", anyArtist());
        };
    }

    private static <T extends HasMetadata> String set(
            Client client, Kind<T> kind, ObjectKey key, String field, String value) {
        Patch patch = Patch.merge("{\"spec\":{\"" + field + "\":\"" + value + "\"}}");
        var _ = client.patch(kind, key, patch, WriteOptions.DEFAULT);
        return key + " moves to " + value;
    }

    private static String label(int number) {
        return "label-" + number;
    }

    private static String artist(int number) {
        return "artist-" + number;
    }

    private String anyLabel() {
        return label(random.nextInt(labels()));
    }

    private String anyArtist() {
        return artist(random.nextInt(artists));
    }

    private String title() {
        return WORDS.get(random.nextInt(WORDS.size())) + " " + WORDS.get(random.nextInt(WORDS.size()));
    }
}
