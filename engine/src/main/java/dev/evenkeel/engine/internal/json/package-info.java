/** JSON and YAML as plain Java trees: what the engine works on while a write is being processed. */
@NullMarked
package dev.evenkeel.engine.internal.json;

import org.jspecify.annotations.NullMarked;
