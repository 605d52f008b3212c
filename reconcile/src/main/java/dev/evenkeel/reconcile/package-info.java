/**
 * Reconcilers that are composed of parts.
 *
 * <p>A root loads one object, runs a tree of parts on it, and writes its status once. The packages below have the
 * parts: {@code part} (parts and their descriptions), {@code flow} (order, repetition, configuration), {@code child}
 * (objects that belong to the reconciled one), {@code manage} (writes of such an object), {@code condition} (conditions
 * of the status), {@code webhook} (parts that answer an API server), and {@code duck} (objects of many kinds in one class).
 * The command {@code evenkeel rbac} prints a tree as text, as a diagram, and as access rules.
 */
@NullMarked
package dev.evenkeel.reconcile;

import org.jspecify.annotations.NullMarked;
