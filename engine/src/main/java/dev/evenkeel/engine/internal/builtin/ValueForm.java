package dev.evenkeel.engine.internal.builtin;

/** The JSON form of a value of a built-in type; the code is the notation of the fact table. */
enum ValueForm {
    STRING("s"),
    /** Base64 text. */
    BYTES("bytes"),
    INT32("i32"),
    INT64("i64"),
    DOUBLE("d"),
    BOOLEAN("b"),
    /** RFC 3339 with seconds. */
    TIME("time"),
    /** RFC 3339 with microseconds. */
    MICROTIME("microtime"),
    QUANTITY("quantity"),
    INT_OR_STRING("intstr"),
    /** Any object; in practice another resource. */
    RAW("raw"),
    /** A set of field paths. */
    FIELDS("fieldsv1"),
    /** Any value. */
    ANY("any"),
    /** A struct of the fact table. */
    STRUCT("="),
    /** A struct without fields. */
    EMPTY("empty"),
    LIST("["),
    MAP("%");

    private final String code;

    ValueForm(String code) {
        this.code = code;
    }

    String code() {
        return code;
    }

    static ValueForm of(String code) {
        for (ValueForm form : values()) {
            if (form.code.equals(code)) {
                return form;
            }
        }
        throw new IllegalArgumentException("no form " + code);
    }
}
