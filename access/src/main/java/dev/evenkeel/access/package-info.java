/** Settings of servers: the address, the certificate, and the users that they accept. */
@NullMarked
package dev.evenkeel.access;

import org.jspecify.annotations.NullMarked;
