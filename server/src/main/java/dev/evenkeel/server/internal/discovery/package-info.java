/** Discovery documents: groups, versions and resources. */
@NullMarked
package dev.evenkeel.server.internal.discovery;

import org.jspecify.annotations.NullMarked;
