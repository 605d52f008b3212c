/**
 * The larger example: databases of an external service, their classes and their backups. Several kinds, a finalizer, an
 * external API, owned objects and objects that are watched because others refer to them.
 *
 * <p>The CustomResourceDefinitions and sample objects are in {@code examples/database}.
 */
@NullMarked
package dev.evenkeel.examples.database;

import org.jspecify.annotations.NullMarked;
