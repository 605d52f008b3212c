/** Tests of operators against an API server in their own process. */
@NullMarked
package dev.evenkeel.junit;

import org.jspecify.annotations.NullMarked;
