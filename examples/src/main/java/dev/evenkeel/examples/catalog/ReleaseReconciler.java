package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.protobuf.StatusPart;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.child.ChildReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.StatusAccess;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import java.util.Optional;

/**
 * Lists each album for sale while its artist is ready, by a {@link ListingObject} that the album owns. The part
 * {@value #KEY} of the status has the result.
 */
public final class ReleaseReconciler {
    /** The key of the part of the status. */
    public static final String KEY = "release";

    /** True when the artist exists and its profile is ready. */
    public static final String ARTIST_READY = "ArtistReady";

    /** True when the listing exists. */
    public static final String LISTED = "Listed";

    static final ConditionSet CONDITIONS = ConditionSet.living(ARTIST_READY, LISTED);
    static final StatusAccess.Values<AlbumObject, StatusPart> STATUS = StatusParts.of(KEY);

    private ReleaseReconciler() {}

    /** Returns the controller. */
    public static Controller<AlbumObject> controller() {
        return root().controller();
    }

    static ResourceReconciler<AlbumObject> root() {
        return ResourceReconciler.of(AlbumObject.KIND)
                .name("Release")
                .conditions(CONDITIONS)
                .status(STATUS)
                .reconciler(
                        SyncReconciler.of(AlbumObject.class)
                                .name("Artist")
                                .sync(ReleaseReconciler::artist)
                                .build(),
                        ChildReconciler.of(AlbumObject.KIND, ListingObject.KIND)
                                .name("Listing")
                                .desired((reconciliation, album) -> isReady(album)
                                        ? Optional.of(ListingObject.of(ObjectKey.of(album)))
                                        : Optional.empty())
                                .merge((actual, desired) -> {})
                                .reflect(ReleaseReconciler::reflect)
                                .build())
                .setup(controller -> controller.name("catalog-release").refersTo(AlbumObject.ARTIST))
                .build();
    }

    private static boolean isReady(AlbumObject album) {
        return Conditions.isTrue(STATUS.conditions(album), ARTIST_READY);
    }

    private static Result artist(Reconciliation<AlbumObject> reconciliation, AlbumObject album) {
        String name = album.data().getArtist();
        ObjectKey key = ObjectKey.of(reconciliation.key().namespace(), name);
        Optional<ArtistObject> artist = reconciliation.cache(ArtistObject.KIND).find(key);
        ConditionManager marks = CONDITIONS.manage(reconciliation, album, STATUS);
        if (artist.isEmpty()) {
            marks.markFalse(ARTIST_READY, "NotFound", "artist \"%s\" not found", name);
        } else if (ProfileReconciler.CONDITIONS
                .manage(reconciliation, artist.get(), ProfileReconciler.STATUS)
                .isHappy()) {
            marks.markTrue(ARTIST_READY, "ArtistReady");
        } else {
            marks.markFalse(ARTIST_READY, "ArtistNotReady", "the artist \"%s\" is not ready", name);
        }
        return Result.done();
    }

    private static void reflect(
            Reconciliation<AlbumObject> reconciliation,
            AlbumObject album,
            ChildReconciler.ChildResult<ListingObject> result) {
        ConditionManager marks = CONDITIONS.manage(reconciliation, album, STATUS);
        if (result.error().isPresent()) {
            marks.markFalse(LISTED, result.reason(), result.message());
        } else if (result.child().isPresent()) {
            marks.markTrue(LISTED, "Listed");
        } else {
            marks.markFalse(LISTED, "NotListed", "not for sale");
        }
    }
}
