package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.json.GoTypes;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Semantic versions, ordered as specified by semver.org. */
final class Semantics {
    private static final Pattern DIGITS = Pattern.compile("[0-9]*");
    private static final Pattern WORD = Pattern.compile("[0-9A-Za-z-]+");

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
        library.add("semver", Semantics::read);
        library.add("isSemver", a -> read(a) instanceof Version);
        library.add("major", Version.class, Version::major);
        library.add("minor", Version.class, Version::minor);
        library.add("patch", Version.class, Version::patch);
    }

    /** Returns a {@link Version}, or a {@link Problem} with upstream's message. */
    private static Object read(Object[] a) {
        if (!(a[0] instanceof String text)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        try {
            return parse(a.length > 1 && Boolean.TRUE.equals(a[1]) ? normal(text) : text);
        } catch (IllegalArgumentException e) {
            return new Problem(String.valueOf(e.getMessage()));
        }
    }

    private static Version parse(String text) {
        require(!text.isEmpty(), "Version string empty");
        String[] parts = text.split("\\.", 3);
        require(parts.length == 3, "No Major.Minor.Patch elements found");
        long major = number("Major", parts[0]);
        long minor = number("Minor", parts[1]);
        String patch = parts[2];
        int plus = patch.indexOf('+');
        String[] build = plus < 0 ? new String[0] : patch.substring(plus + 1).split("\\.", -1);
        patch = plus < 0 ? patch : patch.substring(0, plus);
        int dash = patch.indexOf('-');
        String[] pre = dash < 0 ? new String[0] : patch.substring(dash + 1).split("\\.", -1);
        Version version =
                new Version(major, minor, number("Patch", dash < 0 ? patch : patch.substring(0, dash)), List.of(pre));
        for (String part : pre) {
            require(!part.isEmpty(), "Prerelease is empty");
            require(
                    !DIGITS.matcher(part).matches() || !leadingZero(part),
                    "Numeric PreRelease version must not contain leading zeroes " + GoTypes.quoted(part));
            require(WORD.matcher(part).matches(), "Invalid character(s) found in prerelease " + GoTypes.quoted(part));
        }
        for (String part : build) {
            require(!part.isEmpty(), "Build meta data is empty");
            require(
                    WORD.matcher(part).matches(),
                    "Invalid character(s) found in build meta data " + GoTypes.quoted(part));
        }
        return version;
    }

    private static long number(String name, String text) {
        require(
                DIGITS.matcher(text).matches(),
                "Invalid character(s) found in " + name.toLowerCase(Locale.ROOT) + " number " + GoTypes.quoted(text));
        require(!leadingZero(text), name + " number must not contain leading zeroes " + GoTypes.quoted(text));
        require(!text.isEmpty(), "strconv.ParseUint: parsing \"\": invalid syntax");
        require(text.length() <= 18, "strconv.ParseUint: parsing " + GoTypes.quoted(text) + ": value out of range");
        return Long.parseLong(text);
    }

    private static boolean leadingZero(String number) {
        return number.length() > 1 && number.startsWith("0");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Returns the version without a leading v and leading zeros, and with omitted numbers. */
    private static String normal(String text) {
        String plain = text.startsWith("v") ? text.substring(1) : text;
        String[] parts = plain.split("\\.", 3);
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].replaceFirst("^0+(?=\\d)", "");
        }
        String last = parts[parts.length - 1];
        require(
                parts.length == 3 || (last.indexOf('+') < 0 && last.indexOf('-') < 0),
                "short version cannot contain PreRelease/Build meta data");
        return String.join(".", parts) + ".0".repeat(3 - parts.length);
    }
}
