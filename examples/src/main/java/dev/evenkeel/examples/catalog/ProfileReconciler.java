package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.protobuf.StatusPart;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.StatusAccess;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import java.util.List;

/**
 * Reports in the part {@value #KEY} of the status of each artist whether its record label and its genres exist. They may
 * be created later, and be deleted.
 */
public final class ProfileReconciler {
    /** The key of the part of the status. */
    public static final String KEY = "profile";

    /** True when the record label exists, or none is named. */
    public static final String LABEL_FOUND = "LabelFound";

    /** True when all genres exist. */
    public static final String GENRES_FOUND = "GenresFound";

    static final ConditionSet CONDITIONS = ConditionSet.living(LABEL_FOUND, GENRES_FOUND);
    static final StatusAccess.Values<ArtistObject, StatusPart> STATUS = StatusParts.of(KEY);

    private ProfileReconciler() {}

    /** Returns the controller. */
    public static Controller<ArtistObject> controller() {
        return root().controller();
    }

    static ResourceReconciler<ArtistObject> root() {
        return ResourceReconciler.of(ArtistObject.KIND)
                .name("Profile")
                .conditions(CONDITIONS)
                .status(STATUS)
                .reconciler(
                        SyncReconciler.of(ArtistObject.class)
                                .name("Label")
                                .sync(ProfileReconciler::label)
                                .build(),
                        SyncReconciler.of(ArtistObject.class)
                                .name("Genres")
                                .sync(ProfileReconciler::genres)
                                .build())
                .setup(controller -> controller
                        .name("catalog-profile")
                        .refersTo(ArtistObject.LABEL)
                        .refersTo(ArtistObject.GENRES))
                .build();
    }

    private static Result label(Reconciliation<ArtistObject> reconciliation, ArtistObject artist) {
        ConditionManager marks = CONDITIONS.manage(reconciliation, artist, STATUS);
        String name = artist.data().getRecordLabel();
        if (name.isEmpty()) {
            marks.markTrue(LABEL_FOUND, "NoLabel");
        } else if (reconciliation
                .cache(RecordLabelObject.KIND)
                .get(ObjectKey.cluster(name))
                .isPresent()) {
            marks.markTrue(LABEL_FOUND, "Found");
        } else {
            marks.markFalse(LABEL_FOUND, "NotFound", "record label \"%s\" not found", name);
        }
        return Result.done();
    }

    private static Result genres(Reconciliation<ArtistObject> reconciliation, ArtistObject artist) {
        List<String> missing = artist.data().getGenresList().stream()
                .filter(name -> reconciliation
                        .cache(GenreObject.KIND)
                        .get(ObjectKey.cluster(name))
                        .isEmpty())
                .toList();
        ConditionManager marks = CONDITIONS.manage(reconciliation, artist, STATUS);
        if (missing.isEmpty()) {
            marks.markTrue(GENRES_FOUND, "Found");
        } else {
            marks.markFalse(GENRES_FOUND, "NotFound", "genres not found: %s", String.join(", ", missing));
        }
        return Result.done();
    }
}
