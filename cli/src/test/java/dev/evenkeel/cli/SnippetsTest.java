package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every Java snippet of the docs compiles as it stands. */
class SnippetsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern FENCE = Pattern.compile("^```java\\R(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern TYPE =
            Pattern.compile("^(?:public |final )*(?:class|interface|record|enum) (\\w+)", Pattern.MULTILINE);

    private record Snippet(Path page, int line, String code) {
        String type() {
            Matcher matcher = TYPE.matcher(code);
            return matcher.find() ? matcher.group(1) : "Snippet";
        }
    }

    @TempDir
    Path classes;

    @TestFactory
    Stream<DynamicTest> compile() throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            Matcher matcher = FENCE.matcher(text);
            while (matcher.find()) {
                int line = (int) text.substring(0, matcher.start()).lines().count() + 1;
                snippets.add(new Snippet(ROOT.relativize(page), line, matcher.group(1)));
            }
        }
        assertThat(snippets).isNotEmpty();
        return snippets.stream()
                .map(snippet -> DynamicTest.dynamicTest(snippet.page() + ":" + snippet.line(), () -> compile(snippet)));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"));
                Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void compile(Snippet snippet) {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "needs a JDK");
        JavaFileObject source =
                new SimpleJavaFileObject(
                        URI.create("string:///" + snippet.type() + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return snippet.code();
                    }
                };
        StringWriter messages = new StringWriter();
        boolean compiled = compiler.getTask(
                        messages,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-classpath", System.getProperty("java.class.path")),
                        null,
                        List.of(source))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }
}
