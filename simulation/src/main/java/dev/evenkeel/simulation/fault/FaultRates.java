package dev.evenkeel.simulation.fault;

import java.util.EnumMap;
import java.util.Map;

/** The rates at which faults occur in a simulation. Immutable. */
public final class FaultRates {
    /** No faults. Calls still take time, and concurrent changes become visible. */
    public static final FaultRates NONE = new FaultRates(Map.of());

    /** All faults, each at its usual rate. */
    public static final FaultRates ALL = new FaultRates(usual());

    private final Map<FaultKind, Double> rates = new EnumMap<>(FaultKind.class);

    private FaultRates(Map<FaultKind, Double> given) {
        given.forEach((kind, rate) -> {
            if (!(rate >= 0 && rate <= 1)) {
                throw new IllegalArgumentException("rate of " + kind + " must be from 0 to 1: " + rate);
            }
            if (rate > 0) {
                rates.put(kind, rate);
            }
        });
    }

    private static Map<FaultKind, Double> usual() {
        Map<FaultKind, Double> rates = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            rates.put(kind, kind.usualRate());
        }
        return rates;
    }

    /** Returns the probability of a fault, per call, event or other unit of its kind. */
    public double rate(FaultKind kind) {
        Double rate = rates.get(kind);
        return rate == null ? 0 : rate;
    }

    /** Returns a copy with this rate, from 0 to 1. */
    public FaultRates rate(FaultKind kind, double rate) {
        if (rate > 0 && kind.usualRate() == 0) {
            throw new IllegalArgumentException("only the convergence checker injects " + kind);
        }
        Map<FaultKind, Double> next = new EnumMap<>(FaultKind.class);
        next.putAll(rates);
        next.put(kind, rate);
        return new FaultRates(next);
    }

    /** Returns the faults that occur, with their rates. */
    @Override
    public String toString() {
        return rates.toString();
    }
}
