package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.evenkeel.benchmarks.FleetModel.Fleet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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
    void aSimulatedQueueTakesAsLongAsPredicted() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        double busy = 1.4;
        int count = 400_000;
        double sum = 0;
        PriorityQueue<Double> free = new PriorityQueue<>(List.of(0.0, 0.0));
        double now = 0;
        for (int i = 0; i < count; i++) {
            now += exponential(random) / busy;
            double end = Math.max(now, free.remove()) + exponential(random);
            sum += end - now;
            free.add(end);
        }

        double predicted = FleetModel.stretch(2, busy);

        assertThat(sum / count).as("seed %d", seed).isCloseTo(predicted, within(predicted * 0.1));
    }

    /** Samples of a model have the costs of that model. */
    @Test
    void theCostsOfSamplesAreFound() {
        List<FleetModel.Sample> samples = samples(model);

        FleetModel found = FleetModel.of(samples, model.p99());

        assertThat(found)
                .usingRecursiveComparison()
                .withComparatorForType(Comparator.comparingDouble(cost -> Math.rint(cost * 1e6)), Double.class)
                .isEqualTo(model);
    }

    /** A cost that would be negative, since fleets of two servers needed less, is 0. */
    @Test
    void noCostIsNegative() {
        List<FleetModel.Sample> samples = samples(model).stream()
                .map(sample -> sample.fleet().servers() == 1
                        ? sample
                        : new FleetModel.Sample(sample.fleet(), sample.servers(), sample.etcd() / 2))
                .toList();

        FleetModel found = FleetModel.of(samples, model.p99());

        assertThat(found.etcd().change()).isZero();
        assertThat(found.etcd().write()).isPositive();
        assertThat(found.server().change()).isCloseTo(model.server().change(), within(1e-6));
    }

    private static List<FleetModel.Sample> samples(FleetModel model) {
        return Stream.of(
                        new Fleet(1, 100, 0),
                        new Fleet(1, 100, 120),
                        new Fleet(1, 300, 0),
                        new Fleet(1, 300, 120),
                        new Fleet(2, 300, 0),
                        new Fleet(2, 300, 120))
                .map(fleet -> new FleetModel.Sample(fleet, model.servers(fleet), model.etcd(fleet)))
                .toList();
    }

    private static double exponential(SplittableRandom random) {
        return -Math.log(1 - random.nextDouble());
    }
}
