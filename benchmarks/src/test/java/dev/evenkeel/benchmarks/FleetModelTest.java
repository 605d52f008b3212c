package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.evenkeel.benchmarks.FleetModel.Fleet;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FleetModelTest {
    private final FleetModel model =
            new FleetModel(new FleetModel.Server(5, 200, 50, 10), new FleetModel.Etcd(20, 100, 30), 3);

    @Test
    void costsAreThoseOfWritesChangesAndDeliveries() {
        Fleet fleet = new Fleet(3, 100, 40);

        assertThat(model.servers(fleet)).isEqualTo(3 * 5 + 100 * (200 + 3 * 50 + 40 * 10) / 1e3);
        assertThat(model.etcd(fleet)).isEqualTo(20 + 100 * (100 + 3 * 30) / 1e3);
    }

    /** At its capacity a fleet is as busy as was asked for. */
    @Test
    void atItsCapacityAFleetIsAsBusyAsAskedFor() {
        double writes = model.capacity(10, 100, 4, 0.6);

        assertThat(model.servers(new Fleet(10, writes, 100))).isCloseTo(10 * 4 * 0.6 * 1e3, within(1e-6));
    }

    @Test
    void moreThanTheProcessorsCanDoWaitsForEver() {
        assertThat(model.p99(new Fleet(1, 100_000, 0), 2, 0)).isInfinite();
    }

    @Test
    void oneProcessorThatIsBusyForAShareLetsThatShareWait() {
        assertThat(FleetModel.erlangC(1, 0.7)).isCloseTo(0.7, within(1e-9));
    }

    /** Compares the formula with a simulation of two processors, with arrivals and services at random. */
    @Test
    void aSimulatedQueueWaitsAsPredicted() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        double busy = 1.4;
        int count = 400_000;
        double[] waits = new double[count];
        PriorityQueue<Double> free = new PriorityQueue<>(List.of(0.0, 0.0));
        double now = 0;
        for (int i = 0; i < count; i++) {
            now += exponential(random) / busy;
            double start = Math.max(now, free.remove());
            waits[i] = start - now;
            free.add(start + exponential(random));
        }
        Arrays.sort(waits);

        double predicted = FleetModel.wait(2, busy, 1, 0.01);

        assertThat(waits[count * 99 / 100]).as("seed %d", seed).isCloseTo(predicted, within(predicted * 0.1));
    }

    private static double exponential(SplittableRandom random) {
        return -Math.log(1 - random.nextDouble());
    }
}
