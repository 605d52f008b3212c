/** The actions of the user during a run. */
@NullMarked
package dev.evenkeel.check.internal.script;

import org.jspecify.annotations.NullMarked;
