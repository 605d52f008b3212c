/** The admission plugins of kube-apiserver that are built into the engine. */
@NullMarked
package dev.evenkeel.engine.internal.plugin;

import org.jspecify.annotations.NullMarked;
