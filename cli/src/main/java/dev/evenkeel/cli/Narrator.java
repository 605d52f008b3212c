package dev.evenkeel.cli;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.controller.cache.Informer;
import dev.evenkeel.examples.Website;
import dev.evenkeel.examples.WebsiteStatus;
import dev.evenkeel.examples.catalog.AlbumObject;
import dev.evenkeel.examples.catalog.ArtistObject;
import dev.evenkeel.examples.catalog.DiscographyReconciler;
import dev.evenkeel.examples.catalog.ProfileReconciler;
import dev.evenkeel.examples.catalog.ReleaseReconciler;
import dev.evenkeel.examples.database.Database;
import dev.evenkeel.examples.database.DatabaseBackup;
import dev.evenkeel.protobuf.ProtobufObject;
import dev.evenkeel.reconcile.condition.ConditionedStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints changes, a line each: of objects of an example's kinds, and of the objects they own. */
final class Narrator {
    private final Terminal terminal;
    private final Set<Class<? extends HasMetadata>> primary;

    Narrator(Terminal terminal, Set<Class<? extends HasMetadata>> primary) {
        this.terminal = terminal;
        this.primary = primary;
    }

    /** Prints a line that begins with its subject. */
    void print(String what, String text) {
        terminal.line(terminal.style(Terminal.Style.STRONG, String.format(Locale.ROOT, "%-11s", what)) + text);
    }

    /**
     * Prints a change, if it is relevant to users.
     *
     * @param start the start of the displayed time
     */
    void printChange(Informer.Change<? extends HasMetadata> change, long start) {
        HasMetadata object = change.object().object();
        boolean own = primary.contains(object.getClass());
        if (!own && OwnerReferences.controllerOf(object).isEmpty()) {
            return;
        }
        switch (change) {
            case Informer.Change.Added<?> _ -> line(object, own, "added", Terminal.Style.GOOD, start);
            case Informer.Change.Updated<?> _ -> line(object, own, "changed", Terminal.Style.CHANGED, start);
            case Informer.Change.Deleted<?> _ -> line(object, own, "deleted", Terminal.Style.BAD, start);
            case Informer.Change.Resync<?> _ -> {}
        }
    }

    private void line(HasMetadata object, boolean own, String word, Terminal.Style style, long start) {
        terminal.line(terminal.style(Terminal.Style.FAINT, String.format(Locale.ROOT, "%10s  ", since(start)))
                + terminal.style(style, String.format(Locale.ROOT, "%-8s", word))
                + terminal.style(
                        own ? Terminal.Style.STRONG : Terminal.Style.PLAIN,
                        String.format(Locale.ROOT, "%-11s %-20s ", object.getKind(), ObjectKey.of(object)))
                + detail(object));
    }

    private static String detail(HasMetadata object) {
        return switch (object) {
            case Website website
            when website.getStatus() != null ->
                conditions(Conditions.find(website.getStatus().conditions(), WebsiteStatus.READY).stream());
            case Deployment deployment -> "replicas=" + deployment.getSpec().getReplicas();
            case Database database
            when database.getStatus() != null -> conditions(database.getStatus().conditions().stream());
            case DatabaseBackup backup
            when backup.getStatus() != null -> conditions(backup.getStatus().conditions().stream());
            case ArtistObject artist ->
                conditions(Stream.of(ProfileReconciler.KEY, DiscographyReconciler.KEY)
                        .flatMap(key -> ready(artist, key)));
            case AlbumObject album -> conditions(ready(album, ReleaseReconciler.KEY));
            case CustomResource<?, ?> resource
            when resource.getStatus() instanceof ConditionedStatus status ->
                conditions(Conditions.find(status.getConditions(), "Ready").stream());
            default -> "";
        };
    }

    private static Stream<Condition> ready(ProtobufObject<?> object, String key) {
        return object.status(key).flatMap(part -> Conditions.find(part.conditions(), "Ready")).stream();
    }

    private static String conditions(Stream<Condition> conditions) {
        return conditions
                .map(condition -> condition.getType() + "=" + condition.getStatus() + " " + condition.getReason())
                .collect(Collectors.joining(", "));
    }

    static String since(long start) {
        return String.format(Locale.ROOT, "%.1f ms", (System.nanoTime() - start) / 1e6);
    }
}
