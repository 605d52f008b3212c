package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Reference;
import dev.evenkeel.examples.catalog.v2.Artist;
import dev.evenkeel.protobuf.ProtobufObject;
import java.util.stream.Stream;

/** A musician or a band. */
public final class ArtistObject extends ProtobufObject<Artist> {
    public static final Kind<ArtistObject> KIND = ProtobufObject.kind(ArtistObject.class);

    /** The genres of an artist. */
    public static final Reference<ArtistObject, GenreObject> GENRES =
            Reference.of("genres", KIND, GenreObject.KIND, artist -> artist.data().getGenresList().stream());

    /** The record label of an artist. */
    public static final Reference<ArtistObject, RecordLabelObject> LABEL = Reference.of(
            "label",
            KIND,
            RecordLabelObject.KIND,
            artist -> Stream.of(artist.data().getRecordLabel()));

    /** Creates an object without data. */
    public ArtistObject() {
        super(Artist.getDefaultInstance());
    }

    /** Returns an object with this data. */
    public static ArtistObject of(ObjectKey key, Artist data) {
        ArtistObject artist = new ArtistObject();
        artist.getMetadata().setNamespace(key.namespace());
        artist.getMetadata().setName(key.name());
        artist.data(data);
        return artist;
    }
}
