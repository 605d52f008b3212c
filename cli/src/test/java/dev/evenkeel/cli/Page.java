package dev.evenkeel.cli;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A page of the docs, and the blocks in its fences. A block of Java may use the classes of blocks before it on the page, as
 * they were written last.
 */
record Page(Path file, String text, List<Block> blocks) {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final JavaCompiler COMPILER =
            Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "needs a JDK");

    /** Of all compilations, since to open the jars of the class path takes longer than to compile a page; not thread-safe. */
    private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private static final Pattern FENCE = Pattern.compile("^```(\\w+)\\R(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern TYPE =
            Pattern.compile("^(?:public |final )*(?:class|interface|record|enum) (\\w+)", Pattern.MULTILINE);

    /** The content of a fence: its language, the line where it begins, and its position in the text. */
    record Block(String language, int line, String content, int from, int to) {
        boolean isJava() {
            return language.equals("java");
        }

        /** The class that it declares. */
        String type() {
            Matcher matcher = TYPE.matcher(content);
            return matcher.find() ? matcher.group(1) : "Snippet";
        }

        boolean mentions(Block other) {
            return Pattern.compile("\\b" + other.type() + "\\b")
                    .matcher(content)
                    .find();
        }
    }

    static Page of(Path file) throws IOException {
        String text = Files.readString(file);
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = FENCE.matcher(text);
        while (matcher.find()) {
            int line = (int) text.substring(0, matcher.start()).lines().count() + 1;
            blocks.add(new Block(matcher.group(1), line, matcher.group(2), matcher.start(2), matcher.end(2)));
        }
        return new Page(file, text, List.copyOf(blocks));
    }

    /** All pages, at the top and among the docs. */
    static List<Page> all() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"));
                Stream<Path> top = Files.list(ROOT)) {
            List<Page> pages = new ArrayList<>();
            for (Path file : Stream.concat(top, docs)
                    .filter(one -> one.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                pages.add(of(file));
            }
            return pages;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** The block, and those before it that it needs. */
    Collection<Block> needs(Block block) {
        Map<String, Block> before = new LinkedHashMap<>();
        for (Block other : blocks.subList(0, blocks.indexOf(block))) {
            if (other.isJava()) {
                before.put(other.type(), other);
            }
        }
        Map<String, Block> needed = new LinkedHashMap<>(Map.of(block.type(), block));
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Block other : before.values()) {
                if (!needed.containsKey(other.type())
                        && needed.values().stream().anyMatch(one -> one.mentions(other))) {
                    needed.put(other.type(), other);
                    grown = true;
                }
            }
        }
        return needed.values();
    }

    /** Compiles sources of Java, by the class that each declares; what is said when that fails. */
    static String compile(Map<String, String> sources, Path classes, String... more) {
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((type, code) -> files.add(
                new SimpleJavaFileObject(URI.create("string:///" + type + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return code;
                    }
                }));
        StringWriter messages = new StringWriter();
        List<String> options = new ArrayList<>(
                List.of("-d", classes.toString(), "-classpath", System.getProperty("java.class.path"), "-nowarn"));
        options.addAll(List.of(more));
        synchronized (FILES) {
            boolean compiled = COMPILER.getTask(messages, FILES, null, options, null, files)
                    .call();
            return compiled ? "" : "does not compile:\n" + messages;
        }
    }
}
