package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rules of the amounts that claims may request of the capacity of a device. */
final class CapacityRules {
    private static final int MOST_VALUES = 10;

    private CapacityRules() {}

    /**
     * Validates a capacity.
     *
     * @param shared whether several claims may get the device at a time
     */
    static void validate(Field capacity, boolean shared) {
        Field policy = capacity.at("requestPolicy");
        Optional<Quantity> whole = FormatRules.quantity(capacity.at("value"));
        if (!policy.given() || whole.isEmpty()) {
            return;
        }
        if (!shared) {
            policy.forbidden("allowMultipleAllocations must be true");
            return;
        }
        Field values = policy.at("validValues");
        Field range = policy.at("validRange");
        Optional<Quantity> usual = FormatRules.quantity(policy.at("default"));
        boolean listed = !values.array().isEmpty();
        if (listed && range.given()) {
            policy.forbidden("exactly one policy can be specified, cannot specify \"validValues\" and \"validRange\" at"
                    + " the same time");
        } else if ((listed || range.given()) && usual.isEmpty()) {
            policy.at("default").missing("required when " + (listed ? "validValues" : "validRange") + " is defined");
        } else if (listed) {
            values(values, usual.get(), whole.get());
        } else if (range.given()) {
            range(range, usual.get(), whole.get());
        }
    }

    private static void values(Field values, Quantity usual, Quantity whole) {
        List<Field> items = values.items();
        List<Quantity> amounts = items.stream()
                .flatMap(item -> FormatRules.quantity(item).stream())
                .toList();
        for (int i = 1; i < amounts.size(); i++) {
            if (amounts.get(i - 1).compareTo(amounts.get(i)) > 0) {
                items.get(i).invalid(amounts.get(i).text(), "values must be sorted in ascending order");
            }
        }
        if (amounts.size() > MOST_VALUES) {
            values.tooMany(amounts.size(), MOST_VALUES);
            values.invalid(usual.text(), "default value is not valid according to the requestPolicy");
            return;
        }
        for (int i = 0; i < amounts.size(); i++) {
            if (amounts.get(i).compareTo(whole) > 0) {
                items.get(i).invalid(amounts.get(i).text(), "option is larger than capacity value: " + whole.text());
            }
        }
        Set<BigDecimal> seen = new HashSet<>();
        for (int i = 0; i < amounts.size(); i++) {
            BigDecimal rounded = amounts.get(i).roundedUp().value();
            if (!seen.add(rounded)) {
                items.get(i).duplicate(rounded.toPlainString());
            }
        }
        if (!amounts.contains(usual)) {
            values.invalid(usual.text(), "default value is not valid according to the requestPolicy");
        }
    }

    private static void range(Field range, Quantity usual, Quantity whole) {
        Field min = range.at("min");
        Field max = range.at("max");
        Optional<Quantity> least = FormatRules.quantity(min);
        if (least.isEmpty()) {
            min.missing("required when validRange is defined");
            return;
        }
        Quantity lowest = least.get();
        if (lowest.compareTo(whole) > 0) {
            min.invalid(lowest.text(), "min is larger than capacity value: " + whole.text());
        }
        if (usual.compareTo(lowest) < 0) {
            min.invalid(usual.text(), "default is less than min: " + lowest.text());
        }
        Optional<Quantity> most = FormatRules.quantity(max);
        most.ifPresent(highest -> {
            if (lowest.compareTo(highest) > 0) {
                max.invalid(lowest.text(), "min is larger than max: " + highest.text());
            }
            if (highest.compareTo(whole) > 0) {
                max.invalid(highest.text(), "max is larger than capacity value: " + whole.text());
            }
            if (usual.compareTo(highest) > 0) {
                max.invalid(usual.text(), "default is more than max: " + highest.text());
            }
        });
        Field field = range.at("step");
        FormatRules.quantity(field).ifPresent(step -> {
            Quantity first = lowest.plus(step);
            if (first.compareTo(whole) > 0) {
                field.invalid(
                        step.text(), "one step " + first.text() + " is larger than capacity value: " + whole.text());
            }
            onStep(field, usual, lowest, step);
            most.ifPresent(highest -> onStep(field, highest, lowest, step));
        });
    }

    /** Requires an amount to be some whole steps above the lowest. */
    private static void onStep(Field field, Quantity amount, Quantity lowest, Quantity step) {
        BigDecimal steps = step.roundedUp().value();
        BigDecimal above =
                amount.roundedUp().value().subtract(lowest.roundedUp().value());
        if (steps.signum() != 0 && above.remainder(steps).signum() != 0) {
            field.invalid(
                    amount.text(),
                    "value is not a multiple of a given step (" + step.text() + ") from (" + lowest.text() + ")");
        }
    }
}
