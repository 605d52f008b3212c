/** Kills servers under load, and checks that no acknowledged write is lost. */
@NullMarked
package dev.evenkeel.soak.torture;

import org.jspecify.annotations.NullMarked;
