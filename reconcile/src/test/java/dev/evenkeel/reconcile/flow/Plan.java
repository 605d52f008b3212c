package dev.evenkeel.reconcile.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A tree of flow parts as plain values: what {@link PlanParts} makes parts of, and {@link PlanReading} reads by itself. */
sealed interface Plan {
    /** The plans in it. */
    List<Plan> children();

    /** Something that a leaf does to the object. */
    enum Deed {
        PUT,
        APPEND,
        REMOVE
    }

    /** An effect, and the key of its object. */
    record Effect(Deed deed, String key, String text) {
        void on(Map<String, String> data) {
            switch (deed) {
                case PUT -> data.put(key, text);
                case APPEND -> data.merge(key, text, String::concat);
                case REMOVE -> data.remove(key);
            }
        }
    }

    /** The result of a leaf. */
    enum Way {
        DONE,
        HALTED,
        RETRY,
        QUIET,
        DURABLE,
        FAILED,
        TERMINAL,
        THROWS,
        THROWS_TERMINAL,
        NULL
    }

    /** The outcome of a leaf; without seconds, and with priority 0, those are not set. */
    record End(Way way, int seconds, int priority, boolean skips) {}

    /** The input of a condition. */
    enum Look {
        HAS,
        LACKS,
        SHORT,
        THROWS_IF_LONG
    }

    /** A condition about a key of the object. */
    record Question(int id, Look look, String key) {
        /** Returns the value of the condition; empty when it throws. */
        Optional<Boolean> answer(Map<String, String> data) {
            int length = data.getOrDefault(key, "").length();
            return switch (look) {
                case HAS -> Optional.of(data.containsKey(key));
                case LACKS -> Optional.of(!data.containsKey(key));
                case SHORT -> Optional.of(length < 3);
                case THROWS_IF_LONG -> length < 2 ? Optional.of(true) : Optional.empty();
            };
        }
    }

    /** A mapping of an outcome. */
    enum Twist {
        KEEP,
        DONE,
        HALT,
        SOON,
        THROW,
        NULL
    }

    /** The way in which an advice calls its part. */
    enum Around {
        ONCE,
        NEVER,
        TWICE,
        THROWS_AFTER,
        NULL
    }

    /** The items of a loop. */
    enum Items {
        TWO,
        NONE,
        KEYS,
        THROW
    }

    record Leaf(int id, List<Effect> effects, End end) implements Plan {
        @Override
        public List<Plan> children() {
            return List.of();
        }
    }

    record InSequence(List<Plan> children) implements Plan {}

    record InAnyCase(List<Plan> children) implements Plan {}

    record SideBySide(List<Plan> children) implements Plan {}

    record Choice(Question question, Plan then, Optional<Plan> otherwise) implements Plan {
        @Override
        public List<Plan> children() {
            return all(then, otherwise);
        }
    }

    record Loop(int limit, Question question, Plan body) implements Plan {
        @Override
        public List<Plan> children() {
            return List.of(body);
        }
    }

    record Each(int id, String item, Items items, Plan body) implements Plan {
        @Override
        public List<Plan> children() {
            return List.of(body);
        }
    }

    record Caught(int id, Plan part, Optional<Twist> twist, Optional<Plan> last) implements Plan {
        @Override
        public List<Plan> children() {
            return all(part, last);
        }
    }

    record Advised(int id, Plan part, Optional<Plan> before, Around around, Optional<Twist> after) implements Plan {
        @Override
        public List<Plan> children() {
            return all(part, before);
        }
    }

    record Timed(boolean rings, Plan part) implements Plan {
        @Override
        public List<Plan> children() {
            return List.of(part);
        }
    }

    record Synced(Plan living, boolean both, Optional<Plan> deleted) implements Plan {
        @Override
        public List<Plan> children() {
            return all(living, deleted);
        }
    }

    private static List<Plan> all(Plan one, Optional<Plan> more) {
        List<Plan> all = new ArrayList<>(List.of(one));
        more.ifPresent(all::add);
        return all;
    }
}
