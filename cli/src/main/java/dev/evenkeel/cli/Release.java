package dev.evenkeel.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of Evenkeel and of its main dependencies, recorded by the build. */
final class Release implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "evenkeel " + of("version"),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        };
    }

    /** Returns the version of a component: {@code version} is our own. */
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
