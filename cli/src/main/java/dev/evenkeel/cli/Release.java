package dev.evenkeel.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Which Evenkeel this is, and what it was built with; the build writes it down. */
final class Release implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "evenkeel " + of("version"),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }

    /** The version of something: {@code version} is our own. */
    static String of(String what) {
        Properties properties = new Properties();
        try (InputStream in = Objects.requireNonNull(Release.class.getResourceAsStream("release.properties"))) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty(what);
    }
}
