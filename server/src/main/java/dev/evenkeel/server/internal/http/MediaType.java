package dev.evenkeel.server.internal.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A media type with its parameters, or a range of them such as {@code *}{@code /*}.
 *
 * @param parameters without {@code q}, and without empty ones
 * @param quality a number, mostly from 0 to 1
 */
public record MediaType(String type, String subtype, Map<String, String> parameters, double quality) {
    /**
     * Returns the clauses of an {@code Accept} header, the preferred first; of equals the first. As upstream, a range
     * comes after what is not one, whatever their qualities, and a quality of 0 does not exclude. Invalid clauses are
     * left out.
     */
    public static List<MediaType> accept(String header) {
        List<MediaType> clauses = new ArrayList<>(2);
        for (String clause : header.split(",", -1)) {
            MediaType media = of(clause);
            if (!media.type.isEmpty()) {
                clauses.add(media);
            }
        }
        // upstream's order is not a total one, so that its result depends on the algorithm
        for (int i = 1; i < clauses.size(); i++) {
            for (int j = i; j > 0 && clauses.get(j).isBefore(clauses.get(j - 1)); j--) {
                Collections.swap(clauses, j, j - 1);
            }
        }
        return clauses;
    }

    private boolean isBefore(MediaType other) {
        return quality > other.quality
                || (!type.equals("*") && other.type.equals("*"))
                || (!subtype.equals("*") && other.subtype.equals("*"));
    }

    /** Parses one clause of a {@code Content-Type} header, in lower case; an invalid one has an empty type. */
    static MediaType parse(String text) {
        int end = text.indexOf(';');
        return of(
                end < 0
                        ? text.toLowerCase(Locale.ROOT)
                        : text.substring(0, end).toLowerCase(Locale.ROOT) + text.substring(end));
    }

    private static MediaType of(String text) {
        String[] parts = text.split(";", -1);
        String essence = parts[0].strip();
        int slash = essence.indexOf('/');
        Map<String, String> parameters = parts.length == 1 ? Map.of() : new LinkedHashMap<>();
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals > 0) {
                String name = parts[i].substring(0, equals).strip();
                String value = parts[i].substring(equals + 1).strip();
                if (name.equals("q")) {
                    quality = quality(value);
                } else if (!value.isEmpty()) {
                    parameters.put(name, value);
                }
            }
        }
        if (essence.equals("*")) {
            return new MediaType("*", "*", parameters, quality);
        }
        return slash <= 0 || essence.indexOf('/', slash + 1) > 0
                ? new MediaType("", "", Map.of(), 0)
                : new MediaType(essence.substring(0, slash), essence.substring(slash + 1), parameters, quality);
    }

    private static double quality(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Returns true if the range covers {@code type/subtype}. */
    public boolean covers(String type, String subtype) {
        return (this.type.equals("*") || this.type.equals(type))
                && (this.subtype.equals("*") || this.subtype.equals(subtype));
    }

    public String essence() {
        return type + "/" + subtype;
    }

    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }
}
