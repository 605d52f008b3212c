package dev.evenkeel.engine.internal.builtin;

/** The JSON form of a value of a built-in type; the code is the notation of the fact table. */
enum ValueForm {
    STRING("s", "string"),
    /** Base64 text. */
    BYTES("bytes", "[]uint8"),
    INT32("i32", "int32"),
    INT64("i64", "int64"),
    DOUBLE("d", "float64"),
    BOOLEAN("b", "bool"),
    /** RFC 3339 with seconds. */
    TIME("time", "v1.Time"),
    /** RFC 3339 with microseconds. */
    MICROTIME("microtime", "v1.MicroTime"),
    QUANTITY("quantity", "resource.Quantity"),
    INT_OR_STRING("intstr", "intstr.IntOrString"),
    /** Any object; in practice another resource. */
    RAW("raw", "runtime.RawExtension"),
    /** A set of field paths. */
    FIELDS("fieldsv1", "v1.FieldsV1"),
    /** Any value. */
    ANY("any", "interface {}"),
    /** A struct of the fact table. */
    STRUCT("=", ""),
    /** A struct without fields. */
    EMPTY("empty", "interface {}"),
    LIST("[", "[]"),
    MAP("%", "map[string]");

    private final String code;
    private final String goType;

    ValueForm(String code, String goType) {
        this.code = code;
        this.goType = goType;
    }

    /** Returns the type in Go's messages; of lists and maps the part before that of the elements. */
    String goType() {
        return goType;
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
