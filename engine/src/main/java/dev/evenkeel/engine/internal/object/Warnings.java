package dev.evenkeel.engine.internal.object;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What writers are told about objects that are accepted. */
public final class Warnings {
    private Warnings() {}

    /** Merges owner references that occur again, and says so. */
    public static void duplicateOwners(Map<String, @Nullable Object> metadata, List<String> warnings) {
        List<String> uids = Metadata.deduplicateOwners(metadata);
        if (!uids.isEmpty()) {
            warnings.add(".metadata.ownerReferences contains duplicate entries; API server dedups owner references in"
                    + " 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s)"
                    + " observed: " + String.join(", ", uids));
        }
    }
}
