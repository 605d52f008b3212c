package dev.evenkeel.examples.catalog;

import dev.evenkeel.controller.Controller;
import java.util.List;

/** The controllers of the catalogue. */
public final class CatalogControllers {
    private CatalogControllers() {}

    /** Returns new controllers, for a manager. */
    public static List<Controller<?>> all() {
        return List.of(
                ProfileReconciler.controller(), DiscographyReconciler.controller(), ReleaseReconciler.controller());
    }
}
