package dev.evenkeel.engine.internal.builtin;

/** The types within schemas that have several forms in JSON, each with a message of its own. */
enum OpenForm {
    /** Any value: its text in field 1. */
    JSON("JSON"),
    /** A schema in field 1, or a list of schemas in field 2. */
    SCHEMA_OR_LIST("JSONSchemaPropsOrArray"),
    /** A boolean in field 1, and a schema in field 2. */
    SCHEMA_OR_BOOLEAN("JSONSchemaPropsOrBool"),
    /** A schema in field 1, or a list of names in field 2. */
    SCHEMA_OR_NAMES("JSONSchemaPropsOrStringArray");

    /** The definition of schemas. */
    static final String PROPS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

    private final String type;

    OpenForm(String type) {
        this.type = type;
    }

    static OpenForm of(TypeFacts facts) {
        for (OpenForm form : values()) {
            if (facts.name().endsWith("." + form.type)) {
                return form;
            }
        }
        throw new IllegalArgumentException("no protobuf form of " + facts.name());
    }
}
