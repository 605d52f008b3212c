package dev.evenkeel.engine.internal.cel;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A type as a value.
 *
 * @param name such as {@code int}
 */
record TypeName(String name) {
    static TypeName of(Object value) {
        return new TypeName(
                switch (value) {
                    case Boolean _ -> "bool";
                    case Long _ -> "int";
                    case Unsigned _ -> "uint";
                    case Double _ -> "double";
                    case String _ -> "string";
                    case Octets _ -> "bytes";
                    case ListValue _ -> "list";
                    case MapValue _ -> "map";
                    case Nothing _ -> "null_type";
                    case TypeName _ -> "type";
                    case Duration _ -> "google.protobuf.Duration";
                    case Instant _ -> "google.protobuf.Timestamp";
                    case Optional<?> _ -> "optional_type";
                    case Networks.Address _ -> Signatures.IP;
                    case Networks.Prefix _ -> Signatures.CIDR;
                    case Quantities.Amount _ -> Signatures.QUANTITY;
                    case Urls.Url _ -> Signatures.URL;
                    case NamedFormats.NamedFormat _ -> Signatures.FORMAT;
                    case Semantics.Version _ -> Signatures.SEMVER;
                    default -> "unknown";
                });
    }
}
