package dev.evenkeel.cli;

import static java.util.Map.entry;

import io.fabric8.kubernetes.api.Pluralize;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;

/**
 * A new project with an operator of one kind: names that are valid wherever they occur, and the files.
 *
 * @param name of the project: an artifact of Maven, a label of DNS
 * @param group API group
 * @param kind such as {@code Widget}
 * @param packageName of the classes
 */
record Project(String name, String group, String kind, String packageName) {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final Pattern NAME = Pattern.compile("(?=[a-z])" + LABEL);
    private static final Pattern GROUP = Pattern.compile(LABEL + "(\\." + LABEL + ")+");
    private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,49}");

    /** Classes that the sources mention: a kind of such a name would hide them. */
    private static final Set<String> TAKEN = Set.of("""
            Main Kind Client Manager Engine Controller Reconciler Connection Given Group Version Plural
            Namespaced CustomResource Condition Conditions ConfigMap Result Reconciliation Optional List Stream
            Path Object String Thread System Runtime Record Override Manifests
            """.split("\\s+"));

    private static final Set<String> RESERVED_GROUPS = Set.of("k8s.io", "kubernetes.io");

    /** Refuses invalid names; the message explains what is valid. */
    Project {
        Failure.unless(
                NAME.matcher(name).matches(),
                "the name of the project must be lower case letters, digits and '-', beginning with a letter, such as my-operator: \""
                        + name + "\"");
        Failure.unless(
                GROUP.matcher(group).matches() && group.length() <= 253,
                "--group must be your own domain in lower case, such as example.com: \"" + group + "\"");
        Failure.unless(
                RESERVED_GROUPS.stream().noneMatch(other -> group.equals(other) || group.endsWith("." + other)),
                "--group must not be a group of Kubernetes, but your own domain: \"" + group + "\"");
        Failure.unless(
                KIND.matcher(kind).matches(),
                "--kind must be a word in CamelCase of at most 50 letters and digits, such as Widget: \"" + kind
                        + "\"");
        Failure.unless(
                !TAKEN.contains(kind),
                "--kind must not be the name of a class that the project uses: \"" + kind + "\"");
        Failure.unless(
                SourceVersion.isName(packageName) && packageName.equals(packageName.toLowerCase(Locale.ROOT)),
                "--package must be a Java package, such as com.example.widget: \"" + packageName + "\"");
    }

    /**
     * Returns the package of a kind in a group, such as {@code com.example.widget}; words of Java get an underscore.
     */
    static String packageOf(String group, String kind) {
        List<String> labels = Stream.of(group.split("\\.", -1)).toList().reversed();
        return Stream.concat(labels.stream(), Stream.of(kind.toLowerCase(Locale.ROOT)))
                .map(label -> label.replace('-', '_'))
                .map(label -> SourceVersion.isName(label) ? label : "_" + label)
                .reduce((one, other) -> one + "." + other)
                .orElseThrow();
    }

    /** Returns the files: paths in the project, and their content. */
    Map<String, String> files() {
        String sources = "src/main/java/" + packageName.replace('.', '/') + "/";
        String tests = "src/test/java/" + packageName.replace('.', '/') + "/";
        Map<String, String> templates = new LinkedHashMap<>();
        templates.put("pom.xml", "pom.xml");
        templates.put("README.md", "README.md");
        templates.put(".gitignore", "gitignore");
        templates.put("src/main/resources/crd.yaml", "crd.yaml");
        templates.put("src/main/resources/sample.yaml", "sample.yaml");
        templates.put("src/main/resources/logback.xml", "logback.xml");
        templates.put(sources + "Main.java", "Main.java");
        for (String part : List.of("", "Spec", "Status", "Reconciler")) {
            templates.put(sources + kind + part + ".java", "Kind" + part + ".java");
        }
        templates.put(tests + kind + "ReconcilerTest.java", "KindReconcilerTest.java");
        templates.replaceAll((file, template) -> filled(template));
        return templates;
    }

    private String filled(String template) {
        String singular = kind.toLowerCase(Locale.ROOT);
        String variable = Character.toLowerCase(kind.charAt(0)) + kind.substring(1);
        String text = read(template);
        Map<String, String> values = Map.ofEntries(
                entry("project", name),
                entry("group", group),
                entry("Kind", kind),
                entry("kind", SourceVersion.isName(variable) ? variable : variable + "Object"),
                entry("singular", singular),
                entry("plural", Pluralize.toPlural(singular)),
                entry("package", packageName),
                entry("evenkeel", Release.of("version")),
                entry("junit", Release.of("junit")),
                entry("logback", Release.of("logback")));
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("{{" + value.getKey() + "}}", value.getValue());
        }
        return text;
    }

    private static String read(String template) {
        try (InputStream in = Objects.requireNonNull(Project.class.getResourceAsStream("project/" + template))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the files; refuses if any of them exists. */
    void writeTo(Path directory) {
        Map<String, String> files = files();
        for (String file : files.keySet()) {
            Failure.unless(
                    !Files.exists(directory.resolve(file)),
                    directory.resolve(file) + " exists and is not overwritten: use another --directory");
        }
        files.forEach((file, text) -> {
            Path path = directory.resolve(file);
            try {
                Files.createDirectories(path.toAbsolutePath().getParent());
                Files.writeString(path, text, StandardOpenOption.CREATE_NEW);
            } catch (FileAlreadyExistsException e) {
                throw new Failure(e.getMessage() + " is in the way: use another --directory");
            } catch (IOException e) {
                throw new Failure("cannot write " + path + ": " + Failure.reason(e));
            }
        });
    }
}
