package dev.evenkeel.engine.internal.cel;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Semantic versions, ordered as specified by semver.org. */
final class Semantics {
    private static final String NUMBER = "(0|[1-9]\\d{0,17})";
    // fixed and without nested repetition over the same characters
    private static final Pattern FULL = Pattern.compile(
            NUMBER + "\\." + NUMBER + "\\." + NUMBER + "(?:-([0-9A-Za-z.-]+))?(?:\\+([0-9A-Za-z.-]+))?");

    private Semantics() {}

    /** A version; build metadata, after a plus, does not belong to its identity. */
    record Version(long major, long minor, long patch, List<String> pre) implements Comparable<Version> {
        private static final Comparator<Version> NUMBERS = Comparator.comparingLong(Version::major)
                .thenComparingLong(Version::minor)
                .thenComparingLong(Version::patch);

        @Override
        public int compareTo(Version other) {
            int order = NUMBERS.compare(this, other);
            if (order != 0 || pre.isEmpty() || other.pre.isEmpty()) {
                return order != 0 ? order : Boolean.compare(pre.isEmpty(), other.pre.isEmpty());
            }
            for (int i = 0; i < Math.min(pre.size(), other.pre.size()); i++) {
                int part = part(pre.get(i), other.pre.get(i));
                if (part != 0) {
                    return part;
                }
            }
            return Integer.compare(pre.size(), other.pre.size());
        }

        private static int part(String left, String right) {
            boolean a = left.matches("\\d+");
            boolean b = right.matches("\\d+");
            if (a && b) {
                return new BigInteger(left).compareTo(new BigInteger(right));
            }
            return a == b ? Integer.signum(left.compareTo(right)) : a ? -1 : 1;
        }
    }

    static void addTo(Library library) {
        library.add("semver", a -> Problem.unless(read(a), () -> new Problem("No Major.Minor.Patch elements found")));
        library.add("isSemver", a -> read(a).isPresent());
        library.add("major", Version.class, Version::major);
        library.add("minor", Version.class, Version::minor);
        library.add("patch", Version.class, Version::patch);
    }

    private static Optional<Version> read(Object[] a) {
        if (!(a[0] instanceof String text)) {
            return Optional.empty();
        }
        Matcher matcher = FULL.matcher(a.length > 1 && Boolean.TRUE.equals(a[1]) ? normal(text) : text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        List<String> pre = new ArrayList<>();
        if (matcher.group(4) != null) {
            for (String part : matcher.group(4).split("\\.", -1)) {
                if (part.isEmpty() || (part.length() > 1 && part.startsWith("0") && part.matches("\\d+"))) {
                    return Optional.empty();
                }
                pre.add(part);
            }
        }
        return Optional.of(new Version(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                List.copyOf(pre)));
    }

    /** Returns the version without a leading v and leading zeros, and with omitted numbers. */
    private static String normal(String text) {
        String plain = text.startsWith("v") ? text.substring(1) : text;
        String[] parts = plain.split("\\.", 3);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].replaceFirst("^0+(?=\\d)", "");
        }
        return switch (parts.length) {
            case 1 -> parts[0] + ".0.0";
            case 2 -> parts[0] + "." + parts[1] + ".0";
            default -> String.join(".", parts);
        };
    }
}
