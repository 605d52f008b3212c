package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every relative link of a page leads to a file and, with an anchor, to a heading of it. */
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");

    @Test
    void linksHaveTargets() throws IOException {
        for (Page page : Page.all()) {
            for (MatchResult link : matches(LINK, page.text())) {
                Path target = page.file().resolveSibling(link.group(1)).normalize();
                if (link.group(1).isEmpty()) {
                    target = page.file();
                }
                assertThat(target).as("%s: %s", page.file(), link.group()).exists();
                if (link.group(2) != null) {
                    assertThat(anchors(target))
                            .as("%s: %s", page.file(), link.group())
                            .contains(link.group(2));
                }
            }
        }
    }

    private static Set<String> anchors(Path file) throws IOException {
        return matches(HEADING, Files.readString(file)).stream()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(FENCED.matcher(text).replaceAll("")).results().toList();
    }
}
