package dev.evenkeel.testing.convergence;

/** What can go wrong, or otherwise than one thinks. */
public enum Disturbance {
    /** The process dies, before a write or after it, and starts anew: with fresh caches, and without its memory. */
    CRASH("crash", ""),
    /**
     * The process stands still, so many reads after a write, and another one takes over until all is at rest. Then it goes on
     * with what it was at: its writes are refused, what it does outside of the API is done. At last all is reconciled once
     * more, as it is from time to time.
     */
    OVERTAKE("overtake", "\\d{1,3} reads"),
    /** A write is refused for reasons of the server's: it is not done. */
    REFUSE("refuse", ""),
    /** A write is done, and its answer is lost: the process cannot know. */
    LOSE_ANSWER("lose answer", ""),
    /** Somebody else changes the object just before it is written. */
    CONFLICT("conflict", ""),
    /** Somebody else does the very same write just before: such as the leader before this one. */
    REPEAT("repeat", ""),
    /** Somebody else takes a write of a child back: what was created is deleted, what was changed is as before. */
    UNDO("undo", ""),
    /** All objects are reconciled once more, for no reason. */
    RUN_AGAIN("run again", ""),
    /** The cache of a kind stands still, until nothing else happens: also the one with which a process starts anew. */
    LAG("lag", "\\S+"),
    /** As lag, and of what happened meanwhile only the last states are told, as after a broken connection. */
    MISS("miss", "\\S+"),
    /** Caches learn what has happened in the midst of a run, and not only between runs: what is read twice may differ. */
    TELL("tell", ""),
    /** The process dies and starts anew, and one of its caches is as it was some writes ago: it asked a server that is behind. */
    RESTART_BEHIND("restart behind", "\\S+ by \\d{1,6}"),
    /** The user makes a change early. */
    EDIT("edit", "\\d+"),
    /** Somebody deletes an object: the user the one that is reconciled, anybody one of its children. */
    DELETE("delete", "\\S+ \\S+"),
    /** Somebody else has a finalizer on what is reconciled, and lets it go only when all else is done with its deletion. */
    HOLD("hold", "\\S+ \\S+");

    private final String verb;
    private final String object;

    Disturbance(String verb, String object) {
        this.verb = verb;
        this.object = object;
    }

    /** How a schedule says it. */
    String verb() {
        return verb;
    }

    /** A pattern of what a schedule says it is about; empty when that is the write itself. */
    String object() {
        return object;
    }
}
