import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Writes the descriptions of the built-in definitions and their fields, which the build takes from two artifacts of the
 * official Java client: the annotations of its models, and the comments of its protobuf messages.
 *
 * <p>Neither has all of it. Models lack the texts of fields that refer to another definition, and have blanks in place of
 * line ends; comments lack the ends of paragraphs, and the messages of two groups. Together they have nearly everything.
 *
 * <p>Arguments: the jar of models, the jar of the sources of messages, the file of the definitions to describe, the file
 * to write. A line of the last one is the name of a definition, or a tab and a name of a field; then a tab and the text.
 */
final class Descriptions {
    private static final Pattern INTERFACE =
            Pattern.compile("@@protoc_insertion_point\\(interface_extends:([^)]*)\\)(.*?)\\n  }\\n", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("/\\*\\*\\n(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern TEXT = Pattern.compile("<pre>\\n(.*?)\\n\\s*\\* </pre>", Pattern.DOTALL);
    private static final Pattern FIELD =
            Pattern.compile("<code>(?:(?:optional|repeated|required) )?(map<[^>]*>|\\S+) (\\S+) = \\d+");
    private static final Pattern MESSAGE = Pattern.compile("Protobuf type \\{@code ([^}]*)}");
    /** Starts of texts of types that a model repeats at fields without a text of their own. */
    private static final List<String> TYPES =
            List.of("JSONSchemaPropsOrArray represents", "JSONSchemaPropsOrBool represents", "JSON represents any");

    private static final List<String> SCALARS = List.of("IntOrString is a type", "Quantity is a fixed-point");
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    /** Starts of paragraphs of {@code meta/v1} which neither artifact shows: the options of queries are not among the models. */
    private static final List<String> PARAGRAPHS = List.of(
            "This field is not supported when watch is true.",
            "The server guarantees that",
            "Defaults to unset",
            "When `sendInitialEvents`",
            "Defaults to true if `resourceVersion",
            "  shardRange(object.metadata.uid, '0x0', '0x8000000000000000')\n  shardRange",
            "Field paths use",
            "hexStart and hexEnd",
            "Examples:\n  2-shard",
            "This is an alpha field",
            "Each key is either",
            "The exact format is defined in");

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** A field of a message: its type, with a dot in front if that is a message, and its text. */
    private record Field(String type, String text) {}

    private final Map<String, String> messages = new LinkedHashMap<>();
    private final Map<String, Map<String, Field>> fields = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> models = new LinkedHashMap<>();

    private Descriptions() {}

    public static void main(String[] arguments) throws IOException {
        Path models = Path.of(arguments[0]);
        Path sources = Path.of(arguments[1]);
        Path definitions = Path.of(arguments[2]);
        Path target = Path.of(arguments[3]);
        if (Files.exists(target)) {
            var written = Files.getLastModifiedTime(target);
            boolean current = Stream.of(models, sources, definitions)
                    .allMatch(input -> input.toFile().lastModified() < written.toMillis());
            if (current) {
                return;
            }
        }
        Descriptions descriptions = new Descriptions();
        descriptions.readModels(models);
        descriptions.readMessages(sources);
        Files.createDirectories(target.getParent());
        try (Writer out = new BufferedWriter(new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(target)), StandardCharsets.UTF_8))) {
            for (String name : names(definitions)) {
                descriptions.write(name, out);
            }
        }
    }

    /** Returns the definitions of the file of facts: the lines without a tab in front, which leave out a frequent prefix. */
    private static List<String> names(Path facts) throws IOException {
        try (Stream<String> lines = Files.lines(facts)) {
            return lines.filter(line -> !line.isEmpty() && !line.startsWith("\t"))
                    .map(line -> line.split("\t", -1)[0])
                    .map(name -> name.startsWith("io.") ? name : "io.k8s.api." + name)
                    .sorted()
                    .toList();
        }
    }

    private void write(String definition, Writer out) throws IOException {
        Map<String, String> model = model(definition);
        String message = "k8s.io." + definition.substring("io.k8s.".length()).replace('-', '_');
        Map<String, String> texts = new TreeMap<>();
        Map<String, String> known = new LinkedHashMap<>();
        model.keySet().stream().filter(name -> !name.isEmpty()).forEach(name -> known.put(simple(name), name));
        addFields(fields.getOrDefault(message, Map.of()), known, texts, 0);
        model.forEach((field, text) -> {
            if (!field.isEmpty() && !text.isEmpty() && TYPES.stream().noneMatch(text::startsWith)) {
                texts.merge(field, text, Descriptions::join);
            }
        });
        String text = messages.getOrDefault(message, "");
        String other = model.getOrDefault("", "");
        String own = text.isEmpty() ? other : other.isEmpty() ? text : join(text, other);
        line(definition, paragraphs(definition, own), out);
        for (Map.Entry<String, String> field : texts.entrySet()) {
            line("\t" + field.getKey(), paragraphs(definition, field.getValue()), out);
        }
    }

    private static String paragraphs(String definition, String text) {
        String split = text;
        for (String start : definition.startsWith(META) ? PARAGRAPHS : List.<String>of()) {
            int at = split.indexOf(start);
            if (at > 0) {
                split = split.substring(0, at).stripTrailing() + "\n\n" + split.substring(at);
            }
        }
        return split;
    }

    /** Adds the texts of fields; those of a message that has no name in JSON belong to the definition around it. */
    private void addFields(Map<String, Field> own, Map<String, String> known, Map<String, String> texts, int depth) {
        own.forEach((name, field) -> {
            String json = known.get(simple(name));
            if (json == null && !known.isEmpty() && field.type.startsWith(".") && depth < 3) {
                addFields(fields.getOrDefault(field.type.substring(1), Map.of()), known, texts, depth + 1);
            } else if (!field.text.isEmpty()) {
                texts.putIfAbsent(json == null ? name : json, field.text);
            }
        });
    }

    /** Returns a name of a field in the form in which names of messages and of JSON are equal. */
    private static String simple(String name) {
        return name.replace("-", "").toLowerCase(Locale.ROOT);
    }

    private static void line(String name, String text, Writer out) throws IOException {
        if (!text.isEmpty()) {
            out.write(name + "\t" + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") + "\n");
        }
    }

    /**
     * Restores the ends of paragraphs, which a comment lacks, where the model has more blanks than the comment; a model
     * that differs otherwise has the released text.
     */
    private static String join(String comment, String model) {
        if (!BLANKS.matcher(comment).replaceAll("").equals(BLANKS.matcher(model).replaceAll(""))) {
            // a field of a scalar type has the text of the type there
            return SCALARS.stream().anyMatch(model::startsWith) ? comment : model;
        }
        StringBuilder text = new StringBuilder();
        int at = 0;
        int in = 0;
        while (at < comment.length()) {
            int end = blanks(comment, at);
            int other = blanks(model, in);
            String run = comment.substring(at, end);
            if (!run.isEmpty() && other - in > run.length()) {
                run = run.startsWith("\n") ? "\n" + run : "\n\n";
            }
            text.append(run);
            at = end;
            in = other;
            if (at < comment.length()) {
                text.append(comment.charAt(at++));
                in++;
            }
        }
        return text.toString();
    }

    private static int blanks(String text, int start) {
        int end = start;
        while (end < text.length() && Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private Map<String, String> model(String definition) {
        String[] parts = definition.split("\\.", -1);
        int n = parts.length;
        String kind = parts[n - 1];
        String version = capital(parts[n - 2]);
        return Stream.of(capital(parts[n - 3]) + version + kind, version + kind, version.equals("Version") ? "VersionInfo" : kind)
                .filter(models::containsKey)
                .findFirst()
                .map(models::get)
                .orElse(Map.of());
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private void readModels(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                Matcher name = Pattern.compile("io/kubernetes/client/openapi/models/(\\w+)\\.class")
                        .matcher(entry.getName());
                if (name.matches()) {
                    models.put(name.group(1), model(ClassFile.of().parse(zip.getInputStream(entry).readAllBytes())));
                }
            }
        }
    }

    /** Returns the texts of a model by field, its own under the empty name; an empty text if there is none. */
    private static Map<String, String> model(ClassModel model) {
        Map<String, String> texts = new LinkedHashMap<>();
        annotation(model, "ApiModel", "description").ifPresent(text -> texts.put("", text));
        Map<String, String> names = new LinkedHashMap<>();
        model.fields().forEach(field -> annotation(field, "SerializedName", "value").ifPresent(name -> {
            names.put(field.fieldName().stringValue().toLowerCase(Locale.ROOT), name);
            texts.put(name, "");
        }));
        model.methods().forEach(method -> annotation(method, "ApiModelProperty", "value").ifPresent(text -> {
            String property = method.methodName().stringValue().replaceFirst("^(get|is)", "");
            String name = names.get(property.toLowerCase(Locale.ROOT));
            if (name != null) {
                texts.put(name, text);
            }
        }));
        return texts;
    }

    private static Optional<String> annotation(AttributedElement element, String type, String member) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(found -> found.annotations().stream())
                .filter(found -> found.className().stringValue().endsWith("/" + type + ";"))
                .flatMap(found -> found.elements().stream())
                .filter(found -> found.name().equalsString(member))
                .map(AnnotationElement::value)
                .filter(AnnotationValue.OfString.class::isInstance)
                .map(value -> ((AnnotationValue.OfString) value).stringValue())
                // the client's generator changes what would end or begin a comment
                .map(text -> text.replace("*_/", "*/").replace("/_*", "/*"))
                .findFirst();
    }

    private void readMessages(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (entry.getName().endsWith(".java")) {
                    readMessages(new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
    }

    private void readMessages(String source) {
        Matcher type = INTERFACE.matcher(source);
        while (type.find()) {
            Map<String, Field> own = fields.computeIfAbsent(type.group(1), name -> new LinkedHashMap<>());
            Matcher comment = COMMENT.matcher(type.group(2));
            while (comment.find()) {
                Matcher field = FIELD.matcher(plain(comment.group(1)));
                if (field.find()) {
                    own.putIfAbsent(field.group(2), new Field(field.group(1), text(comment.group(1))));
                }
            }
        }
        Matcher comment = COMMENT.matcher(source);
        while (comment.find()) {
            Matcher message = MESSAGE.matcher(comment.group(1));
            if (message.find()) {
                messages.putIfAbsent(message.group(1), text(comment.group(1)));
            }
        }
    }

    /** Returns the text of a comment, made into a description by the rules of upstream's generator. */
    private static String text(String comment) {
        Matcher found = TEXT.matcher(comment);
        StringBuilder text = new StringBuilder();
        for (String raw : found.find() ? found.group(1).split("\n", -1) : new String[0]) {
            String line = plain(raw.replaceFirst("^\\s*\\* ?", "")).replaceFirst(" +$", "");
            String start = line.replaceFirst("^ +", "");
            if (line.equals("---")) {
                break;
            }
            if (line.isEmpty()) {
                dropLast(text).append("\n\n");
            } else if (line.startsWith(" ") || line.startsWith("\t")) {
                if (!start.startsWith("TODO") && !start.startsWith("+")) {
                    dropLast(text).append('\n').append(line).append('\n');
                }
            } else if (!start.startsWith("TODO") && !start.startsWith("+")) {
                text.append(line).append(' ');
            }
        }
        return text.toString().strip();
    }

    private static StringBuilder dropLast(StringBuilder text) {
        if (!text.isEmpty()) {
            text.setLength(text.length() - 1);
        }
        return text;
    }

    /** Replaces the references to characters that comments of generated sources contain. */
    private static String plain(String text) {
        List<String> pairs = new ArrayList<>(List.of(
                "&lt;", "<", "&gt;", ">", "&quot;", "\"", "&#64;", "@", "&#47;", "/", "&#42;", "*", "&#92;", "\\"));
        String plain = text;
        for (int i = 0; i < pairs.size(); i += 2) {
            plain = plain.replace(pairs.get(i), pairs.get(i + 1));
        }
        return plain.replace("&#39;", "'").replace("&amp;", "&");
    }
}
