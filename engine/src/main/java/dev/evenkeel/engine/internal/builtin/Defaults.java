package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The defaults of built-in kinds, as a text resource; those that take more than a table are in the strategy of the kind.
 *
 * <p>{@code defaults.txt}: a line without indentation names kinds, of all versions or of one ({@code Kind/version}), or a
 * part that kinds share; the lines below it, each behind one tab more than the line it belongs to, are carried out in
 * their order. {@code @part} inserts a part. A path opens the object under it, if there is one; {@code name+} creates
 * it; {@code path[]} opens each object of an array; {@code ?name value} opens this object again if it has the value. The
 * other lines set a member: {@code name = value} if it is missing, {@code name ~ text} also if it is empty, {@code
 * name 0 number} also if it is zero, {@code name [] items} if the array is empty, {@code name := value} always, {@code
 * name only other} to an object if it has no other member than {@code other}, and {@code name pull image} to the policy for the
 * image. Under the name of a kind with a hyphen, {@code name drop} removes a member whose feature is off, and {@code
 * name drops inner} one of an object, which goes too if it had no other. {@code $other} is the value of another member; nothing is set if that is missing or empty.
 *
 * @param operator how the line begins or what stands between its words
 * @param path the path, or the name of a part
 * @param value the last word
 * @param inner the lines that belong to it
 */
public record Defaults(
        String operator, String[] path, @Nullable Object value, List<Defaults> inner) {
    /** A reference to an image; other texts have no tag. */
    private static final Pattern IMAGE = Pattern.compile(
            "((?=.*[.:A-Z].*/|localhost/)[A-Za-z0-9.-]+(:[0-9]+)?/)?"
                    + "[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*(/[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*)*"
                    + "(:(?<tag>\\w[\\w.-]{0,127}))?(@(?<digest>[A-Za-z][A-Za-z0-9]*([-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?");

    private static final int LONGEST_IMAGE = 255;
    private static final Defaults NONE = new Defaults("", new String[0], null, List.of());
    private static final Map<String, Defaults> ALL = read();

    /** Returns the defaults of a version of a kind. */
    public static Defaults of(String kind, String version) {
        return ALL.getOrDefault(kind + "/" + version, ALL.getOrDefault(kind, NONE));
    }

    /** Returns what is removed from objects of a kind when they are written, since its feature is off. */
    public static Defaults disabled(String kind) {
        return ALL.getOrDefault(kind + "-", NONE);
    }

    /** Fills in the defaults that an object lacks. */
    public void apply(JsonObject object) {
        for (int i = 0; i < inner.size(); i++) {
            inner.get(i).carryOut(object);
        }
    }

    private void carryOut(JsonObject object) {
        String name = path[0];
        switch (operator) {
            case "@" -> ALL.getOrDefault(name, NONE).apply(object);
            case "?" -> {
                if (value != null && value.equals(object.get(name))) {
                    apply(object);
                }
            }
            case "." -> {
                if (object.at(path) instanceof JsonObject found) {
                    apply(found);
                }
            }
            case "+" -> apply(object.withObject(name));
            case "each" -> object.objects(path).forEach(this::apply);
            case "=" -> set(object, !object.has(path));
            case "~" -> set(object, object.string(path).isEmpty());
            case "0" -> set(object, object.integer(path) == 0);
            case "[]" -> set(object, object.array(path).isEmpty());
            case "only" -> {
                if (object.size() == (object.containsKey(value) ? 1 : 0)) {
                    object.put(name, new JsonObject());
                }
            }
            case "drop" -> object.remove(name);
            case "drops" -> {
                if (object.get(name) instanceof JsonObject found && found.remove(value) != null && found.isEmpty()) {
                    object.remove(name);
                }
            }
            case "pull" -> object.setIfEmpty(name, pullPolicy(object.string(String.valueOf(value))));
            default -> set(object, true);
        }
    }

    private void set(JsonObject object, boolean wanted) {
        if (wanted) {
            String other = value instanceof String text && text.startsWith("$") ? text.substring(1) : "";
            Object set = other.isEmpty() ? Json.copy(value) : object.get(other);
            if (other.isEmpty() || (set != null && !set.equals(""))) {
                object.put(path[0], set);
            }
        }
    }

    /** Returns the pull policy: images without a tag or with {@code latest} are always pulled. */
    private static String pullPolicy(String image) {
        Matcher reference = IMAGE.matcher(image);
        if (!reference.matches() || image.length() > LONGEST_IMAGE) {
            return "IfNotPresent";
        }
        String tag = reference.group("tag");
        boolean latest = tag == null ? reference.group("digest") == null : tag.equals("latest");
        return latest ? "Always" : "IfNotPresent";
    }

    private static Map<String, Defaults> read() {
        Map<String, Defaults> all = new HashMap<>();
        List<Defaults> open = new ArrayList<>();
        for (String line : FactTable.read("defaults.txt").split("\n", 0)) {
            String text = line.stripLeading();
            int depth = line.length() - text.length();
            Defaults parsed = parse(text);
            if (depth == 0) {
                List.of(text.split(" ", -1)).forEach(name -> all.put(name, parsed));
            } else {
                open.get(depth - 1).inner().add(parsed);
            }
            open.subList(depth, open.size()).clear();
            open.add(parsed);
        }
        return all;
    }

    private static Defaults parse(String text) {
        String[] words = text.split(" ", 3);
        String name = words[0];
        String first = name.substring(0, 1);
        if (first.equals("@") || first.equals("?")) {
            return line(first, name.substring(1), first.equals("@") ? null : value(words[1]));
        }
        if (words.length == 2) {
            return line(words[1], name, null);
        }
        if (words.length == 3) {
            return line(words[1], name, value(words[2]));
        }
        return name.endsWith("[]")
                ? line("each", name.substring(0, name.length() - 2), null)
                : name.endsWith("+") ? line("+", name.substring(0, name.length() - 1), null) : line(".", name, null);
    }

    private static Defaults line(String operator, String path, @Nullable Object value) {
        return new Defaults(operator, path.split("\\.", -1), value, new ArrayList<>(0));
    }

    private static Object value(String text) {
        return switch (text.charAt(0)) {
            case '"' -> "";
            case '[' -> Json.array(Json.parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT));
            case '{' -> new JsonObject();
            default ->
                text.equals("true") || text.equals("false")
                        ? (Object) Boolean.valueOf(text)
                        : text.chars().allMatch(c -> c >= '0' && c <= '9') ? (Object) Long.valueOf(text) : text;
        };
    }
}
