package dev.evenkeel.engine.internal.builtin;

import java.util.List;
import java.util.Map;

/**
 * One built-in type.
 *
 * @param name its OpenAPI definition name
 * @param form {@link ValueForm#STRUCT}, or the form that replaces it
 * @param atomic whether objects of the type are owned and replaced as one
 * @param published whether OpenAPI documents show it
 * @param kinds the kinds it is registered as, {@code group/version/Kind} separated by spaces; {@code *} in every
 *     version
 * @param unions JSON text of its unions; empty when it has none
 * @param wire JSON text of the message fields of a JSON-valued type; empty when it has none
 * @param fields by JSON name
 * @param emitted those fields that JSON shows even when they are unset
 */
record TypeFacts(
        String name,
        ValueForm form,
        boolean atomic,
        boolean published,
        String kinds,
        String unions,
        String wire,
        Map<String, FieldFacts> fields,
        List<FieldFacts> emitted) {}
