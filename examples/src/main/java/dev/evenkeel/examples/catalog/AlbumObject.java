package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Reference;
import dev.evenkeel.examples.catalog.v1.Album;
import dev.evenkeel.protobuf.ProtobufObject;
import java.util.stream.Stream;

/** A record of an artist. */
public final class AlbumObject extends ProtobufObject<Album> {
    public static final Kind<AlbumObject> KIND = ProtobufObject.kind(AlbumObject.class);

    /** The artist of an album. */
    public static final Reference<AlbumObject, ArtistObject> ARTIST = Reference.of(
            "artist", KIND, ArtistObject.KIND, album -> Stream.of(album.data().getArtist()));

    /** Creates an object without data. */
    public AlbumObject() {
        super(Album.getDefaultInstance());
    }

    /** Returns an object with this data. */
    public static AlbumObject of(ObjectKey key, Album data) {
        AlbumObject album = new AlbumObject();
        album.getMetadata().setNamespace(key.namespace());
        album.getMetadata().setName(key.name());
        album.data(data);
        return album;
    }
}
