package dev.evenkeel.examples.catalog;

import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.cache.Cache;
import dev.evenkeel.protobuf.StatusPart;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.StatusAccess;
import java.util.List;
import java.util.Map;

/**
 * Counts the albums of each artist, and their tracks, in the part {@value #KEY} of the status. An album that moves to
 * another artist changes both.
 */
public final class DiscographyReconciler {
    /** The key of the part of the status. */
    public static final String KEY = "discography";

    static final ConditionSet CONDITIONS = ConditionSet.living();
    static final StatusAccess.Values<ArtistObject, StatusPart> STATUS = StatusParts.of(KEY);

    private DiscographyReconciler() {}

    /** Returns the controller. */
    public static Controller<ArtistObject> controller() {
        return root().controller();
    }

    static ResourceReconciler<ArtistObject> root() {
        return ResourceReconciler.of(ArtistObject.KIND)
                .name("Discography")
                .conditions(CONDITIONS)
                .status(STATUS)
                .reconciler(DiscographyReconciler::count)
                .setup(controller -> controller.name("catalog-discography").referredBy(AlbumObject.ARTIST))
                .build();
    }

    private static Result count(Reconciliation<ArtistObject> reconciliation, ArtistObject artist) {
        List<AlbumObject> albums = AlbumObject.ARTIST.sourcesOf(artist, reconciliation.cache(AlbumObject.KIND)).stream()
                .map(Cache.Entry::object)
                .filter(album -> !album.isMarkedForDeletion())
                .toList();
        int tracks =
                albums.stream().mapToInt(album -> album.data().getTracksCount()).sum();
        Map<String, Object> fields = Map.of("albums", albums.size(), "tracks", tracks);
        STATUS.setValue(artist, STATUS.value(artist).fields(fields));
        CONDITIONS.manage(reconciliation, artist, STATUS).markTrue("Ready", "Counted");
        return Result.done();
    }
}
