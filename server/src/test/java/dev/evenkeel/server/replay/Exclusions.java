package dev.evenkeel.server.replay;

import java.util.LinkedHashMap;
import java.util.Map;

/** Records that do not count yet, each with its reason; every other record counts. */
public final class Exclusions {
    private static final String ACCESS = "needs access control, which the server of this file does not have";
    private static final String VENDOR = "depends on a role that the vendor of the recorded server added";

    private static final Map<String, String> TABLE = table();

    private Exclusions() {}

    /** Reasons by record id. */
    public static Map<String, String> table() {
        Map<String, String> table = new LinkedHashMap<>();
        table.put("access-007", VENDOR);
        table.put("access-044", VENDOR);
        table.put("access-rbac-0059", VENDOR);
        table.put("crud-167", "protobuf body; the recorded server crashed on it");
        table.put("discovery-openapi-049", ACCESS);
        table.put("discovery-openapi-050", ACCESS);
        table.put("discovery-openapi-051", "the record lacks the bad token that was sent; ErrorTableTest sends one");
        return table;
    }

    /** Returns true if the record does not count. */
    public static boolean excluded(String id) {
        return TABLE.containsKey(id);
    }
}
