/** A store on etcd, which several engines may share. */
@NullMarked
package dev.evenkeel.store.etcd;

import org.jspecify.annotations.NullMarked;
