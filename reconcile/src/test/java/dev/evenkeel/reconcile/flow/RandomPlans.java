package dev.evenkeel.reconcile.flow;

import dev.evenkeel.reconcile.flow.Plan.Question;
import dev.evenkeel.reconcile.flow.Plan.Twist;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Random plans: of all kinds of parts, mostly small, some deep. */
final class RandomPlans {
    private static final List<String> KEYS = List.of("a", "b", "c");

    private final RandomGenerator random;
    private int ids;

    RandomPlans(RandomGenerator random) {
        this.random = random;
    }

    /** A plan of about as many parts as this, at most. */
    Plan plan(int size) {
        if (size <= 1) {
            return leaf();
        }
        int inner = size - 1;
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> new Plan.InSequence(row(inner));
            case 3 -> new Plan.InAnyCase(row(inner));
            case 4 -> new Plan.SideBySide(row(inner));
            case 5 -> new Plan.Choice(question(), plan(inner / 2), maybe(() -> plan(inner / 2)));
            case 6 -> new Plan.Loop(1 + random.nextInt(4), question(), plan(inner));
            case 7 -> new Plan.Each(ids++, of(PlanParts.ITEMS), of(Plan.Items.values()), plan(inner));
            case 8 -> new Plan.Caught(ids++, plan(inner / 2), maybe(this::twist), maybe(() -> plan(inner / 2)));
            case 9 ->
                new Plan.Advised(
                        ids++,
                        plan(inner / 2),
                        maybe(() -> plan(inner / 2)),
                        random.nextInt(2) == 0 ? Plan.Around.ONCE : of(Plan.Around.values()),
                        maybe(this::twist));
            case 10 -> new Plan.Timed(random.nextBoolean(), plan(inner));
            default -> new Plan.Synced(plan(inner / 2), random.nextBoolean(), maybe(() -> plan(inner / 2)));
        };
    }

    private List<Plan> row(int size) {
        List<Plan> row = new ArrayList<>();
        int left = size;
        while (left > 0) {
            int one = 1 + random.nextInt(left);
            row.add(plan(one));
            left -= one;
        }
        return row;
    }

    private Plan leaf() {
        List<Plan.Effect> effects = new ArrayList<>();
        while (random.nextInt(2) == 0) {
            effects.add(new Plan.Effect(of(Plan.Deed.values()), of(KEYS), Integer.toString(random.nextInt(3))));
        }
        Plan.Way way = random.nextInt(3) > 0 ? Plan.Way.DONE : of(Plan.Way.values());
        Plan.End end = new Plan.End(
                way,
                random.nextInt(4) == 0 ? 1 + random.nextInt(9) : 0,
                random.nextInt(6) == 0 ? 1 + random.nextInt(9) : 0,
                random.nextInt(8) == 0);
        return new Plan.Leaf(ids++, effects, end);
    }

    private Question question() {
        return new Question(ids++, of(Plan.Look.values()), of(KEYS));
    }

    private Twist twist() {
        return of(Twist.values());
    }

    private <E> Optional<E> maybe(Supplier<E> one) {
        return random.nextBoolean() ? Optional.of(one.get()) : Optional.empty();
    }

    private <E> E of(List<E> all) {
        return all.get(random.nextInt(all.size()));
    }

    private <E> E of(E[] all) {
        return all[random.nextInt(all.length)];
    }
}
