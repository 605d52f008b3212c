package dev.evenkeel.engine.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A random part of many cases that are slow together: a build runs a few of each kind, other ones each time, and with
 * {@code -DNAME.all=true} all of them. The seed is printed; {@code -DNAME.seed=SEED} takes the same cases again.
 */
public final class Sample {
    private final boolean all;
    private final Random random;

    private Sample(boolean all, long seed) {
        this.all = all;
        random = new Random(seed);
    }

    /** Returns the sample of the properties that begin with a name. */
    public static Sample of(String name) {
        boolean all = Boolean.getBoolean(name + ".all");
        long seed = Long.getLong(name + ".seed", System.nanoTime());
        if (!all) {
            System.out.println("a sample of cases: -D" + name + ".seed=" + seed);
        }
        return new Sample(all, seed);
    }

    /** Returns true if all cases are taken. */
    public boolean all() {
        return all;
    }

    /** Returns as many cases as given, in their order, or all. */
    public synchronized <T> List<T> of(List<T> cases, int count) {
        if (all || cases.size() <= count) {
            return cases;
        }
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, random);
        return numbers.subList(0, count).stream().sorted().map(cases::get).toList();
    }
}
