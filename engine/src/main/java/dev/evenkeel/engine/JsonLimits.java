package dev.evenkeel.engine;

import dev.evenkeel.engine.internal.json.JsonException;

/**
 * The limits on a document that is parsed. A document beyond a limit is refused with a {@link JsonException}.
 *
 * @param maxBytes size of the document, in bytes
 * @param maxDepth nesting of objects and arrays. Kept far below a thread's stack: walkers of trees recurse
 * @param maxStringLength length of one string, in characters
 * @param maxNumberLength length of one number, in characters: parsing long numbers costs more than their length
 * @param maxYamlAliases how many collections a YAML document may repeat by alias
 */
public record JsonLimits(int maxBytes, int maxDepth, int maxStringLength, int maxNumberLength, int maxYamlAliases) {
    /** 3 MiB, 500 levels, strings up to the size of the document, numbers of 1000 characters, 50 aliases. */
    public static final JsonLimits DEFAULT = new JsonLimits(3 * 1024 * 1024, 500, 3 * 1024 * 1024, 1000, 50);
}
