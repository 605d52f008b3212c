/** Persistent ordered collections, for the other modules of Evenkeel. */
module dev.evenkeel.collection {
    requires static transitive org.jspecify;

    // not qualified: its users are automatic modules, and may be on the class path
    exports dev.evenkeel.collection.internal;
}
