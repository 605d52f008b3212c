package dev.evenkeel.server.internal.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A media type with its parameters, or a range of them such as {@code *}{@code /*}.
 *
 * @param type lower case
 * @param subtype lower case
 * @param parameters without {@code q}
 * @param quality from 0 to 1
 */
public record MediaType(String type, String subtype, Map<String, String> parameters, double quality) {
    /**
     * Returns the clauses of an {@code Accept} header, the preferred first; of equals the first. Invalid ones are left
     * out.
     */
    public static List<MediaType> accept(String header) {
        List<MediaType> clauses = new ArrayList<>(2);
        for (String clause : header.split(",", -1)) {
            MediaType media = parse(clause);
            if (media.quality > 0 && !media.type.isEmpty()) {
                clauses.add(media);
            }
        }
        if (clauses.size() > 1) {
            clauses.sort(Comparator.comparingDouble((MediaType media) -> -media.quality()));
        }
        return clauses;
    }

    /** Parses one clause; an invalid one has an empty type. */
    static MediaType parse(String text) {
        String[] parts = text.split(";", -1);
        String essence = parts[0].strip().toLowerCase(Locale.ROOT);
        int slash = essence.indexOf('/');
        Map<String, String> parameters = parts.length == 1 ? Map.of() : new LinkedHashMap<>();
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals > 0) {
                String name = parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT);
                String value = parts[i].substring(equals + 1).strip();
                if (name.equals("q")) {
                    quality = quality(value);
                } else {
                    parameters.put(name, value);
                }
            }
        }
        return slash <= 0
                ? new MediaType("", "", Map.of(), 0)
                : new MediaType(essence.substring(0, slash), essence.substring(slash + 1), parameters, quality);
    }

    private static double quality(String text) {
        try {
            double value = Double.parseDouble(text);
            return value >= 0 && value <= 1 ? value : 0;
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
