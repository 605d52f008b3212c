package dev.evenkeel.testing.internal.convergence;

import java.time.ZoneId;
import java.util.List;
import java.util.Locale;

/** Something that differs between JVMs. */
public enum JvmVariation {
    /** The order of {@code Map.of} and {@code Set.of}. */
    ORDER("the order of Map.of and Set.of"),
    /** Identity hash codes. They can be equal in two JVMs in which threads do the same, and are hardly ever. */
    IDENTITY("identity hash codes, or what else no process has in common with another"),
    /** The default locale. */
    LOCALE("the default locale"),
    /** The default time zone. */
    ZONE("the default time zone"),
    /** The order in which a directory lists its files. */
    FILES("the order of the files in directories");

    private final String text;

    JvmVariation(String text) {
        this.text = text;
    }

    /** Returns a phrase for messages. */
    public String text() {
        return text;
    }

    /** Returns the options of a JVM that differs from this one. The order has none: {@link SaltedOrder}. */
    List<String> options() {
        return switch (this) {
            case ORDER -> List.of();
            // the default is 5: a generator with an own state in each thread; 0 has one state for all
            case IDENTITY -> List.of("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=0");
            case LOCALE -> {
                boolean turkish = Locale.getDefault().getLanguage().equals("tr");
                yield turkish
                        ? List.of("-Duser.language=en", "-Duser.country=US")
                        : List.of("-Duser.language=tr", "-Duser.country=TR");
            }
            case ZONE -> {
                boolean nepal = ZoneId.systemDefault().getId().equals("Asia/Kathmandu");
                yield List.of("-Duser.timezone=" + (nepal ? "America/St_Johns" : "Asia/Kathmandu"));
            }
            case FILES ->
                List.of("-Djava.nio.file.spi.DefaultFileSystemProvider=" + ReversedDirectories.class.getName());
        };
    }

    /** Returns the options with which a JVM is like this one. */
    List<String> equalOptions() {
        return switch (this) {
            case ORDER, IDENTITY, FILES -> List.of();
            case LOCALE ->
                List.of(
                        "-Duser.language=" + Locale.getDefault().getLanguage(),
                        "-Duser.country=" + Locale.getDefault().getCountry());
            case ZONE -> List.of("-Duser.timezone=" + ZoneId.systemDefault().getId());
        };
    }
}
