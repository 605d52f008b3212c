package dev.evenkeel.reconcile.flow;

import dev.evenkeel.reconcile.flow.Ending.Mark;
import dev.evenkeel.reconcile.flow.Plan.Leaf;
import dev.evenkeel.reconcile.flow.Plan.Question;
import dev.evenkeel.reconcile.flow.Plan.Twist;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** A second implementation of the flow parts' contract, which interprets plans: no parts, no outcomes, no stash. */
final class PlanReading {
    private final boolean deleted;
    private final List<String> calls = new ArrayList<>();

    PlanReading(boolean deleted) {
        this.deleted = deleted;
    }

    List<String> calls() {
        return calls;
    }

    /**
     * Returns the end of a plan.
     *
     * @param data of the object; changed
     * @param around values that surrounding loops have put for leaves to see
     */
    Ending run(Plan plan, Map<String, String> data, Map<String, String> around) {
        return switch (plan) {
            case Leaf leaf -> leaf(leaf, data, around);
            case Plan.InSequence row -> {
                Ending ending = Ending.DONE;
                for (Plan part : row.children()) {
                    if (!ending.stops()) {
                        ending = ending.and(run(part, data, around));
                    }
                }
                yield ending;
            }
            case Plan.InAnyCase row -> {
                Ending ending = Ending.DONE;
                for (Plan part : row.children()) {
                    ending = ending.and(run(part, data, around));
                }
                yield ending;
            }
            case Plan.SideBySide row -> sideBySide(row.children(), data, around);
            case Plan.Choice choice -> {
                try {
                    yield ask(choice.question(), data)
                            ? run(choice.then(), data, around)
                            : choice.otherwise()
                                    .map(other -> run(other, data, around))
                                    .orElse(Ending.DONE);
                } catch (Mark e) {
                    yield Ending.failed(e.getMessage());
                }
            }
            case Plan.Loop loop -> loop(loop, data, around);
            case Plan.Each each -> each(each, data, around);
            case Plan.Caught caught -> {
                Ending tried = run(caught.part(), data, around);
                Ending twisted = caught.twist()
                        .map(twist -> twisted(caught.id(), twist, tried))
                        .orElse(tried);
                yield caught.last()
                        .map(last -> twisted.and(run(last, data, around)))
                        .orElse(twisted);
            }
            case Plan.Advised advised -> advised(advised, data, around);
            case Plan.Timed timed -> {
                Ending ending = run(timed.part(), data, around);
                yield timed.rings() && !ending.problems().isEmpty()
                        ? Ending.failed("ExceededException").and(ending)
                        : ending;
            }
            case Plan.Synced synced -> {
                Ending ending = !deleted || synced.both() ? run(synced.living(), data, around) : Ending.DONE;
                if (!deleted || synced.deleted().isEmpty() || ending.stops()) {
                    yield ending;
                }
                yield ending.and(run(synced.deleted().get(), data, around));
            }
        };
    }

    private Ending leaf(Leaf leaf, Map<String, String> data, Map<String, String> around) {
        calls.add("leaf " + leaf.id() + " " + new TreeMap<>(around));
        leaf.effects().forEach(effect -> effect.on(data));
        String name = "leaf " + leaf.id();
        Plan.End end = leaf.end();
        Ending said = new Ending(false, end.seconds(), false, end.priority(), end.skips(), List.of());
        return switch (end.way()) {
            case DONE -> said;
            case HALTED -> Ending.HALTED.and(said);
            case RETRY -> new Ending(false, 0, true, 0, false, List.of()).and(said);
            case QUIET -> new Ending(true, 0, true, 0, false, List.of("QUIET " + name)).and(said);
            case DURABLE, TERMINAL -> new Ending(true, 0, false, 0, false, List.of("DURABLE " + name)).and(said);
            case FAILED -> Ending.failed(name).and(said);
            case THROWS -> Ending.failed(name);
            case THROWS_TERMINAL -> new Ending(true, 0, false, 0, false, List.of("DURABLE " + name));
            case NULL -> Ending.failed("IllegalStateException");
        };
    }

    private Ending sideBySide(List<Plan> parts, Map<String, String> data, Map<String, String> around) {
        Map<String, String> before = new TreeMap<>(data);
        List<Ending> endings = new ArrayList<>();
        List<Map<String, String>> copies = new ArrayList<>();
        for (Plan part : parts) {
            Map<String, String> copy = new TreeMap<>(before);
            endings.add(run(part, copy, around));
            copies.add(copy);
        }
        Ending ending = Ending.DONE;
        for (int i = 0; i < parts.size(); i++) {
            ending = ending.and(endings.get(i));
            if (!merged(before, copies.get(i), data)) {
                ending = ending.and(Ending.failed("ConflictException"));
            }
        }
        return ending;
    }

    /** Makes in the one what the other has changed; not at all, when something of it was changed otherwise. */
    private static boolean merged(Map<String, String> before, Map<String, String> after, Map<String, String> data) {
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.removeIf(key -> same(key, before, after) || same(key, after, data));
        if (!keys.stream().allMatch(key -> same(key, before, data))) {
            return false;
        }
        for (String key : keys) {
            if (after.containsKey(key)) {
                data.put(key, after.get(key));
            } else {
                data.remove(key);
            }
        }
        return true;
    }

    private static boolean same(String key, Map<String, String> one, Map<String, String> other) {
        return one.getOrDefault(key, "none").equals(other.getOrDefault(key, "none"));
    }

    private Ending loop(Plan.Loop loop, Map<String, String> data, Map<String, String> around) {
        Ending ending = Ending.DONE;
        int i = 0;
        while (!ending.stops()) {
            if (i == loop.limit()) {
                return ending.and(Ending.failed("LimitException"));
            }
            try {
                if (!ask(loop.question(), data)) {
                    return ending;
                }
            } catch (Mark e) {
                return ending.and(Ending.failed(e.getMessage()));
            }
            ending = ending.and(run(loop.body(), data, with(around, "iteration", Integer.toString(i))));
            i++;
        }
        return ending;
    }

    private Ending each(Plan.Each each, Map<String, String> data, Map<String, String> around) {
        calls.add("items " + each.id());
        List<String> items = switch (each.items()) {
            case TWO -> List.of("x", "y");
            case NONE -> List.of();
            case KEYS -> List.copyOf(new TreeSet<>(data.keySet()));
            case THROW -> List.of("none");
        };
        if (each.items() == Plan.Items.THROW) {
            return Ending.failed("items " + each.id());
        }
        Ending ending = Ending.DONE;
        for (int i = 0; i < items.size() && !ending.stops(); i++) {
            String place = items.get(i) + " " + i + "/" + items.size();
            ending = ending.and(run(each.body(), data, with(around, each.item(), place)));
        }
        return ending;
    }

    private Ending advised(Plan.Advised advised, Map<String, String> data, Map<String, String> around) {
        Ending started =
                advised.before().map(before -> run(before, data, around)).orElse(Ending.DONE);
        if (started.stops()) {
            return started;
        }
        calls.add("around " + advised.id());
        Supplier<Ending> part = () -> run(advised.part(), data, around);
        Ending inner = switch (advised.around()) {
            case ONCE -> part.get();
            case NEVER -> Ending.DONE;
            case TWICE -> part.get().and(part.get());
            case THROWS_AFTER -> {
                Ending unused = part.get();
                yield Ending.failed("around " + advised.id());
            }
            case NULL -> Ending.failed("IllegalStateException");
        };
        Ending ended = started.and(inner);
        return advised.after().map(twist -> twisted(advised.id(), twist, ended)).orElse(ended);
    }

    private Ending twisted(int id, Twist twist, Ending ending) {
        calls.add("twist " + id);
        return switch (twist) {
            case KEEP -> ending;
            case DONE -> Ending.DONE;
            case HALT -> Ending.HALTED;
            case SOON -> ending.and(new Ending(false, 1, false, 0, false, List.of()));
            case THROW -> ending.and(Ending.failed("twist " + id));
            case NULL -> ending.and(Ending.failed("IllegalStateException"));
        };
    }

    private boolean ask(Question question, Map<String, String> data) {
        calls.add("question " + question.id());
        return question.answer(data).orElseThrow(() -> new Mark("question " + question.id()));
    }

    private static Map<String, String> with(Map<String, String> around, String name, String value) {
        Map<String, String> more = new HashMap<>(around);
        more.put(name, value);
        return more;
    }
}
