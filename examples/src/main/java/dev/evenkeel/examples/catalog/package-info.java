/**
 * A catalogue of music, with types in protobuf: genres of all partitions, record labels of a partition, artists in two
 * versions, albums, and listings without data.
 *
 * <p>Three controllers that are composed of parts: two of them write a part of the status of artists each, the third
 * creates the listings of albums. They find each other's objects by references.
 */
@NullMarked
package dev.evenkeel.examples.catalog;

import org.jspecify.annotations.NullMarked;
