package dev.evenkeel.grpc.internal.verb;

import com.google.protobuf.FieldMask;
import dev.evenkeel.grpc.internal.call.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The fields that a write changes.
 *
 * @param all whether it changes all that a write can change
 * @param fields of the resource that it changes as a whole
 * @param data paths in data that it changes
 */
record Mask(boolean all, Set<String> fields, List<List<String>> data) {
    private static final List<String> KNOWN = List.of("data", "finalizers", "labels", "metadata");

    static Mask of(FieldMask mask, Violations violations) {
        Set<String> fields = new TreeSet<>();
        List<List<String>> data = new ArrayList<>();
        for (String path : mask.getPathsList()) {
            List<String> names = List.of(path.split("\\.", -1));
            if (names.contains("")) {
                violations.invalid("update_mask", "malformed path \"" + path + "\"");
            } else if (KNOWN.contains(path)) {
                fields.add(path);
            } else if (names.getFirst().equals("data")) {
                data.add(names.subList(1, names.size()));
            } else {
                violations.invalid(
                        "update_mask", "a write cannot change \"" + path + "\" only; it can change " + KNOWN);
            }
        }
        return new Mask(mask.getPathsCount() == 0, fields, data);
    }

    /** Returns true if the write changes a field as a whole. */
    boolean has(String field) {
        return all || fields.contains(field);
    }

    /** Returns true if the write changes data or a part of it. */
    boolean changesData() {
        return has("data") || !data.isEmpty();
    }
}
