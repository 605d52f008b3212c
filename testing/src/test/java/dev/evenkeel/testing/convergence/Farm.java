package dev.evenkeel.testing.convergence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Something outside of the cluster: fields that are planted under names of the caller's, or rented. */
final class Farm implements Fields {
    private final Map<String, String> fields = new TreeMap<>();
    private final Set<String> fenced = new TreeSet<>();
    private int planted;
    private int rented;

    /** Plants a field, unless it is so already. */
    @Override
    public void plant(String field, String crop) {
        if (!crop.equals(fields.put(field, crop))) {
            planted++;
        }
    }

    /** Clears a field; nothing happens when there is none. */
    @Override
    public void clear(String field) {
        fields.remove(field);
        fenced.remove(field);
    }

    @Override
    public boolean has(String field) {
        return fields.containsKey(field);
    }

    /** Fences a field, unless it is fenced. */
    @Override
    public void fence(String field) {
        fenced.add(field);
    }

    Set<String> fenced() {
        return fenced;
    }

    /** Rents another field, and says which. */
    @Override
    public String rent(String crop) {
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
