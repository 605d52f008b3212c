/**
 * Copies of what a server has, kept up to date: informers, the caches they fill, indexes over them, and reads that never
 * are older than one's own writes.
 *
 * <p>Begin with {@link dev.evenkeel.controller.cache.Informers}.
 */
@NullMarked
package dev.evenkeel.controller.cache;

import org.jspecify.annotations.NullMarked;
