/** The store of an engine's objects in a SQLite file: durable on one machine, without another server. */
@NullMarked
package dev.evenkeel.store.sqlite;

import org.jspecify.annotations.NullMarked;
