/**
 * Reconcilers that are made of parts.
 *
 * <p>A root loads one object, has a tree of parts work on it, and writes its status once. The rooms below have the parts:
 * {@code part} (what a part is, and what it says of itself), {@code flow} (in which order, how often, with what), {@code
 * child} (objects that belong to the one that is reconciled), {@code manage} (how such an object is written), {@code
 * condition} (what the status says), {@code webhook} (parts that answer an API server), {@code duck} (objects of many
 * kinds in one class), {@code describe} (a tree as text, as a picture, and as the rights that it needs).
 */
@NullMarked
package dev.evenkeel.reconcile;

import org.jspecify.annotations.NullMarked;
