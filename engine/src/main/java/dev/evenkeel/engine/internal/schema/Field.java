package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object that is validated, with the rules that most fields need.
 *
 * <p>All fields of an object share a list, to which each rule adds its errors in the order of the calls. The path of a
 * field is composed only for an error. Rules for numbers accept a field without one.
 */
public final class Field {
    public static final String IMMUTABLE = "field is immutable";

    /** The number of errors of an object after which rules report no more. */
    private static final int MOST_ERRORS = 1_000;

    private final @Nullable Field parent;
    private final String step;
    private final @Nullable Object value;
    private final List<FieldError> errors;

    private Field(@Nullable Field parent, String step, @Nullable Object value, List<FieldError> errors) {
        this.parent = parent;
        this.step = step;
        this.value = value;
        this.errors = errors;
    }

    /** Returns the field that is the whole object. */
    public static Field of(JsonObject tree, List<FieldError> errors) {
        return new Field(null, "", tree, errors);
    }

    /** Returns a part of an object, at a path from its root. */
    static Field of(String path, Object value, List<FieldError> errors) {
        return new Field(null, path, value, errors);
    }

    /** Returns the field under a path of keys, which may be missing. */
    public Field at(String... path) {
        Field at = this;
        for (String key : path) {
            at = at.with(key, Json.at(at.value, key));
        }
        return at;
    }

    /** Returns the field under a key if it is an object. */
    Optional<Field> find(String key) {
        return Optional.of(at(key)).filter(Field::isObject);
    }

    boolean isObject() {
        return value instanceof JsonObject;
    }

    /** Returns the entry of a map, which errors show as {@code map[key]}. */
    public Field entry(String key) {
        return with("[" + key + "]", Json.at(value, key));
    }

    /** Returns a value that errors show under this field; brackets follow the path without a dot. */
    public Field with(String name, @Nullable Object shown) {
        return new Field(this, name, shown, errors);
    }

    /** Returns the items of an array. */
    public List<Field> items() {
        List<@Nullable Object> array = Json.array(value);
        List<Field> items = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            items.add(with("[" + i + "]", array.get(i)));
        }
        return items;
    }

    /** Returns the items of an array that are objects. */
    public Stream<Field> objects() {
        return items().stream().filter(Field::isObject);
    }

    /** Visits the entries of a map that are objects, by name. */
    void members(BiConsumer<String, Field> visitor) {
        object().forEach((key, member) -> {
            if (member instanceof JsonObject) {
                visitor.accept(key, entry(key));
            }
        });
    }

    public @Nullable Object value() {
        return value;
    }

    /** Returns whether there is a value other than null. */
    public boolean given() {
        return value != null;
    }

    /** Returns the text; empty when there is none. */
    public String text() {
        return value instanceof String text ? text : "";
    }

    /** Returns the number; 0 when there is none. */
    public long number() {
        return value instanceof Long number ? number : 0;
    }

    /** Returns the object; a new one when there is none. */
    public JsonObject object() {
        return value instanceof JsonObject object ? object : new JsonObject();
    }

    /** Returns the array; an empty one when there is none. */
    public List<@Nullable Object> array() {
        return Json.array(value);
    }

    public String path() {
        String outer = parent == null ? "" : parent.path();
        return outer.isEmpty() ? step : outer + (step.startsWith("[") ? "" : ".") + step;
    }

    /** Adds an error, unless there are many: a small body could have more errors, and a longer refusal, than memory holds. */
    private void note(Supplier<FieldError> error) {
        if (errors.size() < MOST_ERRORS) {
            errors.add(error.get());
        }
    }

    /** Adds an error that was found in another form of the object. */
    public void add(FieldError error) {
        note(() -> error);
    }

    public void missing() {
        missing("");
    }

    public void missing(String detail) {
        note(() -> FieldError.required(path(), detail));
    }

    public void invalid(String detail) {
        invalid(value, detail);
    }

    /** Adds an error that shows another value. */
    public void invalid(@Nullable Object shown, String detail) {
        note(() -> FieldError.invalid(path(), shown, detail));
    }

    /** Adds an error of a text that is missing or wrong. */
    void missingOrInvalid(String detail) {
        if (require(detail)) {
            invalid(detail);
        }
    }

    public void forbidden(String detail) {
        note(() -> FieldError.forbidden(path(), detail));
    }

    public void duplicate(@Nullable Object shown) {
        note(() -> FieldError.duplicate(path(), shown));
    }

    public void notSupported(@Nullable Object shown, List<String> supported) {
        note(() -> FieldError.notSupported(path(), shown, supported));
    }

    public void notFound() {
        notFound(value, "");
    }

    /** Adds an error that refers to something that does not exist, and says what would be right. */
    public void notFound(@Nullable Object shown, String detail) {
        FieldError error = FieldError.notFound(path(), shown);
        note(() -> detail.isEmpty()
                ? error
                : new FieldError(error.reason(), error.field(), error.detail() + ": " + detail));
    }

    /** Adds an error that shows a text as it is. */
    public void invalidText(String shown, String detail) {
        note(() -> new FieldError(
                "FieldValueInvalid", path(), "Invalid value: " + shown + (detail.isEmpty() ? "" : ": " + detail)));
    }

    /** Adds an error that a value, shown as this text, is repeated. */
    public void duplicateText(String shown) {
        note(() -> new FieldError("FieldValueDuplicate", path(), "Duplicate value: " + shown));
    }

    /** Adds an error that a value, shown as this text, is not one of the supported ones. */
    public void notSupportedText(String shown, List<String> supported) {
        FieldError error = FieldError.notSupported(path(), null, supported);
        note(() -> new FieldError(
                error.reason(), path(), error.detail().replaceFirst("null", Matcher.quoteReplacement(shown))));
    }

    /** Adds an error that the rule itself failed. */
    public void internal(String detail) {
        note(() -> new FieldError("InternalError", path(), "Internal error: " + detail));
    }

    /** Adds an error that does not show the value. */
    public void wrong(String detail) {
        note(() -> new FieldError("FieldValueInvalid", path(), "Invalid value: " + detail));
    }

    /** Returns the number of errors of all fields of the object. */
    public int errorCount() {
        return errors.size();
    }

    public void tooLong(int max) {
        note(() -> FieldError.tooLong(path(), max));
    }

    public void tooMany(int actual, int max) {
        note(() -> FieldError.tooMany(path(), actual, max));
    }

    /** Requires a text; returns true if there is one. */
    public boolean require() {
        return require("");
    }

    /** Requires a text; returns true if there is one. */
    public boolean require(String detail) {
        if (text().isEmpty()) {
            missing(detail);
        }
        return !text().isEmpty();
    }

    /** Requires a text that obeys a rule; returns true if it does. */
    public boolean require(Function<String, List<String>> rule) {
        return require() && obeys(rule);
    }

    /** Requires a text to be empty or to obey a rule. */
    public void requireIfGiven(Function<String, List<String>> rule) {
        if (!text().isEmpty()) {
            obeys(rule);
        }
    }

    /** Requires a text, which may be empty, to obey a rule, which returns one detail for each error. */
    public boolean obeys(Function<String, List<String>> rule) {
        List<String> details = rule.apply(text());
        details.forEach(detail -> invalid(text(), detail));
        return details.isEmpty();
    }

    void mustBe(String expected) {
        if (!text().equals(expected)) {
            invalid(text(), "must be " + expected);
        }
    }

    void mustBe(String expected, String detail) {
        if (!text().equals(expected)) {
            invalid(text(), detail);
        }
    }

    public void oneOf(String... allowed) {
        List<String> supported = List.of(allowed);
        if (!supported.contains(text())) {
            notSupported(text(), supported);
        }
    }

    public void oneOfIfGiven(String... allowed) {
        if (!text().isEmpty()) {
            oneOf(allowed);
        }
    }

    public void notNegative() {
        if (number() < 0) {
            invalid("must be greater than or equal to 0");
        }
    }

    public void positive() {
        if (value instanceof Long number && number <= 0) {
            invalid("must be greater than 0");
        }
    }

    public void between(long min, long max) {
        if (outside(min, max)) {
            invalid("must be between " + min + " and " + max + ", inclusive");
        }
    }

    public void between(long min, long max, String detail) {
        if (outside(min, max)) {
            invalid(detail);
        }
    }

    private boolean outside(long min, long max) {
        return value instanceof Long number && (number < min || number > max);
    }

    public void port() {
        between(1, 65_535);
    }

    /** Requires a map of labels. */
    public void labels() {
        object().forEach((key, label) -> {
            Names.qualified(key).forEach(detail -> invalid(key, detail));
            Names.labelValue(String.valueOf(label)).forEach(detail -> invalid(label, detail));
        });
    }

    /** Requires a text that is not in a set, and adds it. */
    public void distinct(Set<String> seen) {
        if (!seen.add(text())) {
            duplicate(value);
        }
    }

    /** Requires that an object and its former state are equal under a path. */
    public void immutable(JsonObject old, String... path) {
        Field field = at(path);
        if (!Objects.equals(field.value, old.at(path))) {
            field.invalid(IMMUTABLE);
        }
    }
}
