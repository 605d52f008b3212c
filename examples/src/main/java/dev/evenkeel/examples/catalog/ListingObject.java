package dev.evenkeel.examples.catalog;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.examples.catalog.v1.Listing;
import dev.evenkeel.protobuf.ProtobufObject;

/** Exists while the album of its name may be sold. */
public final class ListingObject extends ProtobufObject<Listing> {
    public static final Kind<ListingObject> KIND = ProtobufObject.kind(ListingObject.class);

    /** Creates an object without data. */
    public ListingObject() {
        super(Listing.getDefaultInstance());
    }

    /** Returns the listing of an album. */
    public static ListingObject of(ObjectKey album) {
        ListingObject listing = new ListingObject();
        listing.getMetadata().setNamespace(album.namespace());
        listing.getMetadata().setName(album.name());
        return listing;
    }
}
