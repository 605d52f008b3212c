package dev.evenkeel.server.internal.flow;

import dev.evenkeel.engine.internal.access.FlowConfiguration.Level;
import java.util.OptionalInt;

/**
 * The seats of a priority level.
 *
 * @param nominal its share of the limit of the server
 * @param lower the seats that other levels cannot borrow
 * @param upper the seats that it may use when other levels lend theirs
 * @param current the seats that it may use at present; empty for an exempt level, which is not limited
 */
public record LevelSeats(int nominal, int lower, int upper, OptionalInt current) {
    /**
     * Returns the seats that a configuration gives a level.
     *
     * @param sum the shares of all levels
     * @param limit the seats of the server
     */
    static LevelSeats of(Level level, long sum, int limit) {
        int nominal = sum == 0 ? 0 : (int) Math.ceilDiv(limit * level.shares(), sum);
        int lendable = (int) Math.round(nominal * level.lendablePercent() / 100.0);
        int borrowed =
                level.borrowingPercent() < 0 ? limit : (int) Math.round(nominal * level.borrowingPercent() / 100.0);
        return new LevelSeats(nominal, nominal - lendable, nominal + borrowed, OptionalInt.empty());
    }

    LevelSeats current(int seats) {
        return new LevelSeats(nominal, lower, upper, OptionalInt.of(seats));
    }
}
