package dev.evenkeel.protobuf.internal;

import com.google.protobuf.Descriptors.Descriptor;
import java.util.Set;

/** The messages of protobuf that have a JSON form of their own. */
final class WellKnown {
    static final String ANY = "google.protobuf.Any";
    private static final Set<String> SPECIAL = Set.of(
            ANY,
            "google.protobuf.Timestamp",
            "google.protobuf.Duration",
            "google.protobuf.FieldMask",
            "google.protobuf.Struct",
            "google.protobuf.Value",
            "google.protobuf.ListValue",
            "google.protobuf.BoolValue",
            "google.protobuf.Int32Value",
            "google.protobuf.Int64Value",
            "google.protobuf.UInt32Value",
            "google.protobuf.UInt64Value",
            "google.protobuf.FloatValue",
            "google.protobuf.DoubleValue",
            "google.protobuf.StringValue",
            "google.protobuf.BytesValue");

    private WellKnown() {}

    /** Returns true if the JSON form of a message is not an object of its fields. */
    static boolean isSpecial(Descriptor type) {
        return SPECIAL.contains(type.getFullName());
    }
}
