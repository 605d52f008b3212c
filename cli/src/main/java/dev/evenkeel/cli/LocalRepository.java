package dev.evenkeel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directory where Maven keeps artifacts on this machine.
 *
 * @param directory the root of the repository
 */
record LocalRepository(Path directory) {
    private static final Pattern SETTING = Pattern.compile("<localRepository>\\s*([^<$]+?)\\s*</localRepository>");

    /** Returns the repository of the user: that of the user's settings, or {@code ~/.m2/repository}. */
    static LocalRepository ofUser() {
        Path maven = Path.of(System.getProperty("user.home"), ".m2");
        try {
            Matcher setting = SETTING.matcher(Files.readString(maven.resolve("settings.xml")));
            if (setting.find()) {
                return new LocalRepository(Path.of(setting.group(1)));
            }
        } catch (IOException e) {
            // no settings
        }
        return new LocalRepository(maven.resolve("repository"));
    }

    /** Returns true if a version of Evenkeel was installed. */
    boolean has(String version) {
        Path evenkeel = directory.resolve("dev/evenkeel");
        return Files.exists(evenkeel.resolve("evenkeel-bom/" + version + "/evenkeel-bom-" + version + ".pom"))
                && Files.exists(
                        evenkeel.resolve("evenkeel-testing/" + version + "/evenkeel-testing-" + version + ".jar"));
    }
}
