package dev.evenkeel.engine.internal.read;

import dev.evenkeel.engine.internal.object.Document;
import java.util.List;
import java.util.OptionalLong;

/**
 * One page of a list.
 *
 * @param items in the order of namespace and name
 * @param revision the state of the store that was listed: {@code metadata.resourceVersion}
 * @param continueToken for the next page; empty on the last
 * @param remaining how many are left after this page, where that is known
 */
public record Page(List<? extends Document> items, long revision, String continueToken, OptionalLong remaining) {}
