package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.protobuf.StatusPart;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compares what the controllers have written with what follows from the objects, which it computes from scratch. */
public final class CatalogCheck {
    private final Map<ObjectKey, ArtistObject> artists;
    private final Map<ObjectKey, AlbumObject> albums;
    private final Map<ObjectKey, ListingObject> listings;
    private final Map<ObjectKey, RecordLabelObject> labels;
    private final Map<ObjectKey, GenreObject> genres;
    private final List<String> problems = new ArrayList<>();

    private CatalogCheck(Client client) {
        artists = all(client, ArtistObject.KIND);
        albums = all(client, AlbumObject.KIND);
        listings = all(client, ListingObject.KIND);
        labels = all(client, RecordLabelObject.KIND);
        genres = all(client, GenreObject.KIND);
    }

    private static <T extends HasMetadata> Map<ObjectKey, T> all(Client client, Kind<T> kind) {
        Map<ObjectKey, T> all = new TreeMap<>();
        client.list(kind, ListOptions.ALL).items().forEach(object -> all.put(ObjectKey.of(object), object));
        return all;
    }

    /** Returns a line for each difference; none when the controllers have converged. */
    public static List<String> problems(Client client) {
        CatalogCheck check = new CatalogCheck(client);
        check.artists.forEach(check::profile);
        check.artists.forEach(check::discography);
        check.albums.forEach(check::release);
        check.listings.forEach(check::listing);
        return check.problems;
    }

    private void expect(String what, Object actual, Object expected) {
        if (!actual.equals(expected)) {
            problems.add(what + ": " + actual + ", expected: " + expected);
        }
    }

    private static boolean isReady(Optional<StatusPart> part) {
        return part.filter(it -> Conditions.isTrue(it.conditions(), "Ready")).isPresent();
    }

    private static long observed(Optional<StatusPart> part) {
        return part.map(StatusPart::observedGeneration).orElse(0L);
    }

    private boolean isReady(ArtistObject artist) {
        String label = artist.data().getRecordLabel();
        return (label.isEmpty() || labels.containsKey(ObjectKey.cluster(label)))
                && artist.data().getGenresList().stream()
                        .allMatch(genre -> genres.containsKey(ObjectKey.cluster(genre)));
    }

    private void profile(ObjectKey key, ArtistObject artist) {
        Optional<StatusPart> part = artist.status(ProfileReconciler.KEY);
        expect("profile of " + key + " is ready", isReady(part), isReady(artist));
        expect("generation of the profile of " + key, observed(part), generation(artist));
    }

    private void discography(ObjectKey key, ArtistObject artist) {
        List<AlbumObject> own = albums.values().stream()
                .filter(album -> artistOf(album).equals(key))
                .toList();
        int tracks =
                own.stream().mapToInt(album -> album.data().getTracksCount()).sum();
        Optional<StatusPart> part = artist.status(DiscographyReconciler.KEY);
        Map<String, Object> fields = part.map(StatusPart::fields).orElse(Map.of());
        expect("albums of " + key, fields.getOrDefault("albums", 0), own.size());
        expect("tracks of " + key, fields.getOrDefault("tracks", 0), tracks);
        expect("generation of the discography of " + key, observed(part), generation(artist));
    }

    private void release(ObjectKey key, AlbumObject album) {
        ArtistObject artist = artists.get(artistOf(album));
        boolean sold = artist != null && isReady(artist);
        Optional<StatusPart> part = album.status(ReleaseReconciler.KEY);
        expect("release of " + key + " is ready", isReady(part), sold);
        expect("generation of the release of " + key, observed(part), generation(album));
        expect(key + " is listed", listings.containsKey(key), sold);
    }

    private void listing(ObjectKey key, ListingObject listing) {
        String owner = OwnerReferences.controllerOf(listing)
                .map(OwnerReference::getUid)
                .orElse("none");
        AlbumObject album = albums.get(key);
        expect(
                "owner of the listing " + key,
                owner,
                album == null ? "an album" : album.getMetadata().getUid());
    }

    private static ObjectKey artistOf(AlbumObject album) {
        return ObjectKey.of(ObjectKey.of(album).namespace(), album.data().getArtist());
    }

    private static long generation(HasMetadata object) {
        return object.getMetadata().getGeneration();
    }
}
