package dev.evenkeel.controller.simulation;

import java.util.EnumMap;
import java.util.Map;

/** How often what goes wrong. A value. */
public final class Faults {
    /** Nothing goes wrong. Calls still take time, and what others do meanwhile is seen. */
    public static final Faults NONE = new Faults(Map.of());

    /** Everything goes wrong, each at its usual rate. */
    public static final Faults ALL = new Faults(usual());

    private final Map<Fault, Double> rates = new EnumMap<>(Fault.class);

    private Faults(Map<Fault, Double> given) {
        given.forEach((fault, rate) -> {
            if (!(rate >= 0 && rate <= 1)) {
                throw new IllegalArgumentException(fault + " has a rate of " + rate + ": must be from 0 to 1");
            }
            if (rate > 0) {
                rates.put(fault, rate);
            }
        });
    }

    private static Map<Fault, Double> usual() {
        Map<Fault, Double> rates = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.values()) {
            rates.put(fault, fault.usual());
        }
        return rates;
    }

    /** How often: a probability for each thing that it is counted by. */
    public double rate(Fault fault) {
        Double rate = rates.get(fault);
        return rate == null ? 0 : rate;
    }

    /** The same with this rate, from 0 to 1. */
    public Faults with(Fault fault, double rate) {
        Map<Fault, Double> next = new EnumMap<>(Fault.class);
        next.putAll(rates);
        next.put(fault, rate);
        return new Faults(next);
    }

    /** The same without this one. */
    public Faults without(Fault fault) {
        return with(fault, 0);
    }

    /** Those that go wrong, with their rates. */
    @Override
    public String toString() {
        return rates.toString();
    }
}
