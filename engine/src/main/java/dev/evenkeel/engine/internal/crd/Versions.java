package dev.evenkeel.engine.internal.crd;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of preference of API versions: v2, v1, v11beta2, v2beta1, v3alpha1, and names of another form last. */
public final class Versions {
    private static final Pattern FORM = Pattern.compile("v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?");

    /** Sorts preferred versions first. */
    public static final Comparator<String> BY_PREFERENCE = Comparator.comparing(Versions::parse);

    private Versions() {}

    private record Parsed(int stability, BigInteger major, BigInteger minor, String text)
            implements Comparable<Parsed> {
        @Override
        public int compareTo(Parsed other) {
            return Comparator.comparingInt(Parsed::stability)
                    .thenComparing(Parsed::major)
                    .thenComparing(Parsed::minor)
                    .reversed()
                    .thenComparing(Parsed::text)
                    .compare(this, other);
        }
    }

    private static Parsed parse(String version) {
        Matcher matcher = FORM.matcher(version);
        if (!matcher.matches()) {
            return new Parsed(0, BigInteger.ZERO, BigInteger.ZERO, version);
        }
        BigInteger major = new BigInteger(matcher.group(1));
        String stage = matcher.group(2);
        if (stage == null) {
            return new Parsed(3, major, BigInteger.ZERO, "");
        }
        return new Parsed(stage.equals("beta") ? 2 : 1, major, new BigInteger(matcher.group(3)), "");
    }
}
