package dev.evenkeel.examples.catalog;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.TypeSource;
import dev.evenkeel.examples.catalog.v1.Album;
import dev.evenkeel.examples.catalog.v1.Genre;
import dev.evenkeel.examples.catalog.v1.Listing;
import dev.evenkeel.examples.catalog.v1.RecordLabel;
import dev.evenkeel.examples.catalog.v2.Artist;
import dev.evenkeel.protobuf.Access;
import dev.evenkeel.protobuf.ProtobufType;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The types of the catalogue, with their rules. */
public final class CatalogTypes {
    private static final String SEPARATOR = ",";

    private CatalogTypes() {}

    /** Returns the types, to be registered with an engine. */
    public static List<TypeSource> all() {
        return List.of(genre(), recordLabel(), artist(), album(), listing());
    }

    static TypeSource genre() {
        return ProtobufType.of(Genre.getDefaultInstance()).build();
    }

    /** A confidential label does not exist for users who are not its editors; only these may write one. */
    static TypeSource recordLabel() {
        return ProtobufType.of(RecordLabel.getDefaultInstance())
                .authorizeRead((access, id, label) -> !label.get().getConfidential() || isEditor(access, label.get()))
                .authorizeWrite((access, id, label) -> isEditor(access, label.get()))
                .build();
    }

    private static boolean isEditor(Access access, RecordLabel label) {
        return label.getEditorsList().contains(access.user().name());
    }

    /** Artists are stored in version 2; in version 1 the genres are one text. */
    static TypeSource artist() {
        return ProtobufType.of(Artist.getDefaultInstance())
                .version(
                        dev.evenkeel.examples.catalog.v1.Artist.getDefaultInstance(),
                        CatalogTypes::upgrade,
                        CatalogTypes::downgrade)
                .mutate(artist ->
                        artist.toBuilder().setTitle(artist.getTitle().strip()).build())
                .validate(CatalogTypes::validate)
                .build();
    }

    static Artist upgrade(dev.evenkeel.examples.catalog.v1.Artist artist) {
        return Artist.newBuilder()
                .setTitle(artist.getTitle())
                .addAllGenres(Stream.of(artist.getGenre().split(SEPARATOR))
                        .map(String::strip)
                        .filter(genre -> !genre.isEmpty())
                        .toList())
                .setRecordLabel(artist.getRecordLabel())
                .build();
    }

    static dev.evenkeel.examples.catalog.v1.Artist downgrade(Artist artist) {
        return dev.evenkeel.examples.catalog.v1.Artist.newBuilder()
                .setTitle(artist.getTitle())
                .setGenre(String.join(SEPARATOR, artist.getGenresList()))
                .setRecordLabel(artist.getRecordLabel())
                .build();
    }

    private static List<FieldError> validate(Artist artist, Optional<Artist> before) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < artist.getGenresCount(); i++) {
            String genre = artist.getGenres(i);
            if (genre.isEmpty() || genre.contains(SEPARATOR)) {
                return List.of(FieldError.invalid("genres[" + i + "]", genre, "must be the name of a genre"));
            }
            if (!seen.add(genre)) {
                return List.of(FieldError.duplicate("genres[" + i + "]", genre));
            }
        }
        return List.of();
    }

    static TypeSource album() {
        return ProtobufType.of(Album.getDefaultInstance()).build();
    }

    static TypeSource listing() {
        return ProtobufType.of(Listing.getDefaultInstance()).build();
    }
}
