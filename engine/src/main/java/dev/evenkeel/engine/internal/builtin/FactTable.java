package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The facts about Kubernetes' own types, as a text resource.
 *
 * <p>Problem: 810 types with 3,321 fields must be known to a process that should start in milliseconds and usually
 * needs a dozen of them. The table is therefore text that is read as one string, indexed by line starts (about a
 * millisecond, at the first use of any type), and parsed type by type on first use.
 *
 * <p>{@code types.txt}: a line that starts with a name opens a type, a line that starts with a tab is one of its
 * fields; cells are separated by tabs. {@code io.k8s.api.} is left out of names. A type's cells: name, then marks. A
 * field's: name, value, then marks. A value is a code of {@link ValueForm}, {@code =Name} for a struct, {@code [value} for a
 * list, {@code %value} for a map of strings; a following {@code |a|b} lists the allowed texts. Marks: {@code !}
 * required, {@code *} pointer, {@code z<json>} emitted when unset, {@code d<json>} default, {@code l<type>[ keys]} list
 * type, {@code m<type>} map type, {@code p<strategy>} and {@code k<key>} strategic merge, {@code #<numbers>} protobuf
 * path, {@code t<type>} protobuf type where it does not follow from the value; on types {@code f<form>}, {@code a}
 * atomic, {@code h} not in OpenAPI, {@code g<group/version/Kind ...>}, {@code u<json>} unions, {@code w<json>} wire.
 *
 * <p>Invariants: (1) facts are immutable and shared; (2) a name that is not in the table is a bug here, not bad input.
 * Safe for concurrent use. The table is not JSON, because parsing 350 KB of JSON takes longer than the whole start may.
 */
final class FactTable {
    static final FactTable INSTANCE = new FactTable();
    private static final String COMMON = "io.k8s.api.";

    private final Map<String, TypeFacts> parsed = new ConcurrentHashMap<>();
    private volatile @Nullable Index index;

    private record Index(String text, Map<String, Integer> starts) {}

    private FactTable() {}

    /** Returns the facts about a type; null when there is no such type. */
    @Nullable
    TypeFacts find(String name) {
        TypeFacts known = parsed.get(name);
        if (known != null) {
            return known;
        }
        Index at = index();
        Integer start = at.starts().get(name);
        if (start == null) {
            return null;
        }
        TypeFacts facts = parse(at.text(), start);
        TypeFacts earlier = parsed.putIfAbsent(name, facts);
        return earlier == null ? facts : earlier;
    }

    /** Returns the facts about a type that must exist. */
    TypeFacts type(String name) {
        TypeFacts facts = find(name);
        if (facts == null) {
            throw new NoSuchElementException("no built-in type " + name);
        }
        return facts;
    }

    List<String> names() {
        return index().starts().keySet().stream().sorted().toList();
    }

    /** Returns the names of types by the kinds that they are registered as, {@code group/version/Kind}. */
    Map<String, String> definitionsByKind() {
        Index at = index();
        Map<String, String> definitions = HashMap.newHashMap(512);
        at.starts().forEach((name, start) -> {
            String line = at.text().substring(start, at.text().indexOf('\n', start));
            for (String kind : text(line.split("\t", -1), 1, 'g').split(" ", -1)) {
                definitions.put(kind, name);
            }
        });
        return definitions;
    }

    /** Returns the lines of a table in the package of this class. */
    static String read(String resource) {
        try (InputStream in = FactTable.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Index index() {
        Index known = index;
        if (known == null) {
            String text = read("types.txt");
            Map<String, Integer> starts = HashMap.newHashMap(1024);
            for (int line = 0; line < text.length(); line = text.indexOf('\n', line) + 1) {
                if (text.charAt(line) != '\t') {
                    int end = line;
                    while (text.charAt(end) != '\t' && text.charAt(end) != '\n') {
                        end++;
                    }
                    starts.put(full(text.substring(line, end)), line);
                }
            }
            known = new Index(text, starts);
            index = known;
        }
        return known;
    }

    private static String full(String name) {
        return name.startsWith("io.k8s.") ? name : COMMON + name;
    }

    private static TypeFacts parse(String text, int start) {
        int end = text.indexOf('\n', start);
        String[] cells = text.substring(start, end).split("\t", -1);
        checkMarks(cells, 1, "fahguw");
        String form = mark(cells, 1, 'f');
        Map<String, FieldFacts> fields = new LinkedHashMap<>();
        for (int line = end + 1; line < text.length() && text.charAt(line) == '\t'; line = end + 1) {
            end = text.indexOf('\n', line);
            FieldFacts field = field(text.substring(line + 1, end).split("\t", -1));
            fields.put(field.name(), field);
        }
        return new TypeFacts(
                full(cells[0]),
                form == null ? ValueForm.STRUCT : ValueForm.of(form),
                mark(cells, 1, 'a') != null,
                mark(cells, 1, 'h') == null,
                text(cells, 1, 'g'),
                text(cells, 1, 'u'),
                text(cells, 1, 'w'),
                Collections.unmodifiableMap(fields),
                fields.values().stream().filter(FieldFacts::emitted).toList());
    }

    private static FieldFacts field(String[] cells) {
        checkMarks(cells, 2, "!*zdlmpk#t");
        String zero = mark(cells, 2, 'z');
        String byDefault = mark(cells, 2, 'd');
        List<String> list = List.of(text(cells, 2, 'l').split(" ", -1));
        String path = mark(cells, 2, '#');
        return new FieldFacts(
                cells[0],
                value(cells[1]),
                mark(cells, 2, '!') != null,
                mark(cells, 2, '*') != null,
                zero != null,
                json(zero),
                byDefault != null,
                json(byDefault),
                list.getFirst(),
                list.subList(1, list.size()),
                text(cells, 2, 'm'),
                text(cells, 2, 'p'),
                text(cells, 2, 'k'),
                path == null
                        ? List.of()
                        : Arrays.stream(path.split(",", -1))
                                .map(Integer::valueOf)
                                .toList(),
                text(cells, 2, 't'));
    }

    /** Returns the text behind a mark; null without the mark. */
    private static @Nullable String mark(String[] cells, int from, char mark) {
        for (int i = from; i < cells.length; i++) {
            if (cells[i].charAt(0) == mark) {
                return cells[i].substring(1);
            }
        }
        return null;
    }

    private static String text(String[] cells, int from, char mark) {
        return Objects.requireNonNullElse(mark(cells, from, mark), "");
    }

    private static void checkMarks(String[] cells, int from, String known) {
        for (int i = from; i < cells.length; i++) {
            if (known.indexOf(cells[i].charAt(0)) < 0) {
                throw new IllegalStateException("types.txt: unknown mark " + cells[i]);
            }
        }
    }

    private static ValueFacts value(String text) {
        return switch (text.charAt(0)) {
            case '[' -> new ValueFacts(ValueForm.LIST, "", value(text.substring(1)), List.of());
            case '%' -> new ValueFacts(ValueForm.MAP, "", value(text.substring(1)), List.of());
            case '=' -> new ValueFacts(ValueForm.STRUCT, full(text.substring(1)), null, List.of());
            default -> {
                String[] parts = text.split("\\|", -1);
                List<String> allowed = List.copyOf(Arrays.asList(parts).subList(1, parts.length));
                yield new ValueFacts(ValueForm.of(parts[0]), "", null, allowed);
            }
        };
    }

    private static @Nullable Object json(@Nullable String text) {
        return switch (text) {
            case null -> null;
            case "{}" -> new JsonObject();
            case "\"\"" -> "";
            case "null" -> null;
            case "0" -> 0L;
            case "false" -> false;
            default -> Json.parse(text);
        };
    }
}
