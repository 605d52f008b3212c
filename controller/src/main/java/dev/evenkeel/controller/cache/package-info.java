/**
 * Local copies of a server's objects, kept up to date: informers, the caches they fill, indexes over them, and reads
 * that are never older than the process's own writes.
 *
 * <p>Begin with {@link dev.evenkeel.controller.cache.Informers}.
 */
@NullMarked
package dev.evenkeel.controller.cache;

import org.jspecify.annotations.NullMarked;
