package dev.evenkeel.testing.convergence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Something outside of the cluster: fields that are planted under names of the caller's, or rented. */
final class Farm {
    private final Map<String, String> fields = new TreeMap<>();
    private int planted;
    private int rented;

    /** Plants a field, unless it is so already. */
    void plant(String field, String crop) {
        if (!crop.equals(fields.put(field, crop))) {
            planted++;
        }
    }

    /** Clears a field; nothing happens when there is none. */
    void clear(String field) {
        fields.remove(field);
    }

    /** Rents another field, and says which. */
    String rent(String crop) {
        String field = "field-" + ++rented;
        fields.put(field, crop);
        return field;
    }

    List<String> fields() {
        return new ArrayList<>(fields.keySet());
    }

    Map<String, String> state() {
        return fields;
    }

    /** The number of plantings. */
    int planted() {
        return planted;
    }
}
