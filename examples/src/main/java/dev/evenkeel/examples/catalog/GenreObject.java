package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Kind;
import dev.evenkeel.examples.catalog.v1.Genre;
import dev.evenkeel.protobuf.ProtobufObject;

/** A style of music, which exists once for all partitions. */
public final class GenreObject extends ProtobufObject<Genre> {
    public static final Kind<GenreObject> KIND = ProtobufObject.kind(GenreObject.class);

    /** Creates an object without data. */
    public GenreObject() {
        super(Genre.getDefaultInstance());
    }

    /** Returns an object with this data. */
    public static GenreObject of(String name, Genre data) {
        GenreObject genre = new GenreObject();
        genre.getMetadata().setName(name);
        genre.data(data);
        return genre;
    }
}
