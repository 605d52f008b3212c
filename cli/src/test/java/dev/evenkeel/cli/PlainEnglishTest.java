package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

/** Refuses phrases that CONTRIBUTING.md rules out, in pages, help texts and main sources. */
class PlainEnglishTest {
    /** Regular expressions; a space matches a line break of a comment or a string, too. */
    private static final List<Pattern> PHRASES = Stream.of(
                    "(?i)(?<!there\\s)\\b(?:is|are) no (?!(?:longer|more)\\b)",
                    "\\b(?:[Nn]obody|(?i:somebody|anybody|whoever|anew|lest))\\b",
                    "(?i)\\b(?:lets?|letting) go\\b",
                    "(?i)\\b(?:comes?|came|coming) to rest\\b",
                    "(?i)\\b(?:stands?|stood|standing) still\\b",
                    "(?i)\\b(?:goes on|went on|comes again|takes? back|taken back|takes away|says so|say so)\\b",
                    "(?i)\\b(?:is|are|was|were|be) (?:told|asked)\\b",
                    "(?i)(?<![.\\w])(?:in vain|by chance|for ever|once more|as ever|in hand|beside|besides)\\b",
                    "(?i)\\b(?:the|its|our|a) doors?\\b",
                    "(?i)\\bof ours\\b",
                    "must be [^\"\\n.;]*, and is\\b")
            .map(phrase -> Pattern.compile(phrase.replace(" ", "[\\s*\"+]+")))
            .toList();

    /** A sentence or a table cell without a noun as its subject, such as "Who falls off gets 410"; not a question. */
    private static final Pattern HEADLESS =
            Pattern.compile("(?m)(?:^|[.:;] |\\| |^[*#-]+ )(?:Who|What|Whether)\\b(?![^.|]*\\?)");

    private static final Pattern JAVADOC =
            Pattern.compile("/\\*\\*\\s+(?:\\*\\s+)?(?:Who|Whoever|What|Whether|How|Why|Where)\\b");

    @Test
    void pages() throws IOException {
        List<String> findings = new ArrayList<>();
        for (Page page : Page.all()) {
            findings.addAll(find(page.file(), page.text(), HEADLESS));
        }
        assertThat(findings).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> help() {
        return Evenkeel.commandLine().getSubcommands().entrySet().stream()
                .map(command -> DynamicTest.dynamicTest(command.getKey(), () -> {
                    String usage =
                            command.getValue().setUsageHelpWidth(1_000).getUsageMessage(CommandLine.Help.Ansi.OFF);
                    assertThat(find(Path.of(command.getKey() + " --help"), usage, HEADLESS))
                            .isEmpty();
                }));
    }

    @TestFactory
    Stream<DynamicTest> sources() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Page.ROOT)) {
            for (Path module : modules.filter(one -> Files.isDirectory(one.resolve("src/main/java")))
                    .toList()) {
                String name = module.getFileName().toString();
                tests.add(DynamicTest.dynamicTest(name, () -> {
                    List<String> findings = new ArrayList<>();
                    try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
                        for (Path file : files.filter(one -> one.toString().endsWith(".java"))
                                .sorted()
                                .toList()) {
                            findings.addAll(find(file, Files.readString(file), JAVADOC));
                        }
                    }
                    assertThat(findings).isEmpty();
                }));
            }
        }
        return tests.stream();
    }

    private static List<String> find(Path file, String text, Pattern beginning) {
        return Stream.concat(PHRASES.stream(), Stream.of(beginning))
                .flatMap(pattern -> pattern.matcher(text)
                        .results()
                        .map(found -> Page.ROOT.relativize(file.toAbsolutePath().normalize())
                                + ":"
                                + (1
                                        + text.substring(0, found.start())
                                                .chars()
                                                .filter(c -> c == '\n')
                                                .count())
                                + ": \"" + found.group().replaceAll("\\s+", " ") + "\" matches " + pattern))
                .toList();
    }
}
