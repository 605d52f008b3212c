package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.syntax.Quantity;
import dev.evenkeel.engine.spi.Authorizer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A type as a value, with a name such as {@code int}. */
record TypeName(String name) {
    static TypeName of(Object value) {
        return new TypeName(
                switch (value) {
                    case Boolean unused -> "bool";
                    case Long unused -> "int";
                    case Unsigned unused -> "uint";
                    case Double unused -> "double";
                    case String unused -> "string";
                    case Octets unused -> "bytes";
                    case ListValue unused -> "list";
                    case StructValue struct -> struct.type();
                    case MapValue unused -> "map";
                    case Nothing unused -> "null_type";
                    case TypeName unused -> "type";
                    case Duration unused -> "google.protobuf.Duration";
                    case Instant unused -> "google.protobuf.Timestamp";
                    case Optional<?> unused -> "optional_type";
                    case Networks.Address unused -> Signatures.IP;
                    case Networks.Prefix unused -> Signatures.CIDR;
                    case Quantity unused -> Signatures.QUANTITY;
                    case Urls.Url unused -> Signatures.URL;
                    case NamedFormats.NamedFormat unused -> Signatures.FORMAT;
                    case Semantics.Version unused -> Signatures.SEMVER;
                    case AccessQuery unused -> Signatures.AUTHORIZER;
                    case AccessQuery.PathCheck unused -> Signatures.PATH_CHECK;
                    case AccessQuery.GroupCheck unused -> Signatures.GROUP_CHECK;
                    case AccessQuery.ResourceCheck unused -> Signatures.RESOURCE_CHECK;
                    case Authorizer.Decision unused -> Signatures.DECISION;
                    default -> "unknown";
                });
    }
}
