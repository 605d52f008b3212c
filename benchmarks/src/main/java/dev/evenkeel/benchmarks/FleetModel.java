package dev.evenkeel.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;

/**
 * Predicts the processor time of API servers that share one etcd, and the time of a write, from unit costs that were
 * measured with one and two servers.
 *
 * <p>Each server applies all changes, made by any server, and sends each to its own watches. The costs of a fleet of
 * {@code N} servers, {@code K} writes a second and {@code M} watches that see all of them, in a second:
 *
 * <pre>
 * servers = N * base + K * (write + N * change + M * delivery)
 * etcd    = base + K * (write + N * change)
 * </pre>
 *
 * The unit costs are those that fit the measured fleets best: the sum of the squares of the relative differences is the
 * least, and no cost is negative.
 *
 * <p>All programs share the {@code c} processors of a machine. So a write takes {@code 1 + P / (c * (1 - ρ))} times as long
 * as without load, where ρ is the share of the time for which the processors are busy, and {@code P} the probability, by
 * Erlang's C formula (M/M/c), that all of them are busy when it arrives.
 *
 * @param server the costs of a server
 * @param etcd the costs of etcd
 * @param p99 the 99th percentile of the time of a write, in milliseconds, when there is hardly any load
 */
record FleetModel(Server server, Etcd etcd, double p99) {
    /**
     * The processor time of a server.
     *
     * @param base of a second with load, however little it is, in milliseconds
     * @param write of a request that writes, without its change, in microseconds
     * @param change of a change by any server, in microseconds
     * @param delivery of a change to one watch, in microseconds
     */
    record Server(double base, double write, double change, double delivery) {}

    /**
     * The processor time of etcd.
     *
     * @param base of a second with load, however little it is, in milliseconds
     * @param write of a write, in microseconds
     * @param change of a change that is sent to one server, in microseconds
     */
    record Etcd(double base, double write, double change) {}

    /**
     * A fleet, and its load, which is spread evenly.
     *
     * @param servers the number of servers
     * @param writes the writes a second, of all servers
     * @param watches the watches, of all servers
     */
    record Fleet(int servers, double writes, int watches) {}

    /**
     * The needs of a fleet.
     *
     * @param servers the processor time of all servers in a second, in milliseconds
     * @param etcd the processor time of etcd in a second, in milliseconds
     */
    record Sample(Fleet fleet, double servers, double etcd) {}

    /**
     * Returns the model that fits samples best, which must be of several numbers of servers, writes and watches.
     *
     * @param p99 the 99th percentile of the time of a write, in milliseconds, when there is hardly any load
     */
    static FleetModel of(List<Sample> samples, double p99) {
        double[] server = fit(samples, Sample::servers, fleet -> new double[] {
            fleet.servers(),
            fleet.writes() / 1e3,
            fleet.servers() * fleet.writes() / 1e3,
            fleet.watches() * fleet.writes() / 1e3
        });
        double[] etcd = fit(samples, Sample::etcd, fleet ->
                new double[] {1, fleet.writes() / 1e3, fleet.servers() * fleet.writes() / 1e3});
        return new FleetModel(
                new Server(server[0], server[1], server[2], server[3]), new Etcd(etcd[0], etcd[1], etcd[2]), p99);
    }

    private interface Factors {
        double[] of(Fleet fleet);
    }

    /** Returns the costs that fit best; one that would be negative is 0, and the others are fitted without it. */
    private static double[] fit(List<Sample> samples, ToDoubleFunction<Sample> measured, Factors factors) {
        int[] columns = IntStream.range(0, factors.of(samples.getFirst().fleet()).length)
                .toArray();
        double[] costs = new double[columns.length];
        while (true) {
            double[] fitted = fit(samples, measured, factors, columns);
            int least = IntStream.range(0, fitted.length)
                    .reduce((one, other) -> fitted[other] < fitted[one] ? other : one)
                    .orElseThrow();
            if (fitted[least] >= 0) {
                for (int i = 0; i < fitted.length; i++) {
                    costs[columns[i]] = fitted[i];
                }
                return costs;
            }
            int negative = columns[least];
            columns =
                    Arrays.stream(columns).filter(column -> column != negative).toArray();
        }
    }

    private static double[] fit(
            List<Sample> samples, ToDoubleFunction<Sample> measured, Factors factors, int[] columns) {
        double[] ones = new double[samples.size()];
        Arrays.fill(ones, 1);
        double[][] rows = samples.stream()
                .map(sample -> {
                    double[] all = factors.of(sample.fleet());
                    return Arrays.stream(columns)
                            .mapToDouble(column -> all[column] / measured.applyAsDouble(sample))
                            .toArray();
                })
                .toArray(double[][]::new);
        OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
        regression.setNoIntercept(true);
        regression.newSampleData(ones, rows);
        return regression.estimateRegressionParameters();
    }

    /** Returns the processor time of all servers in a second, in milliseconds. */
    double servers(Fleet fleet) {
        double perWrite = server.write() + fleet.servers() * server.change() + fleet.watches() * server.delivery();
        return fleet.servers() * server.base() + fleet.writes() * perWrite / 1e3;
    }

    /** Returns the processor time of etcd in a second, in milliseconds. */
    double etcd(Fleet fleet) {
        return etcd.base() + fleet.writes() * (etcd.write() + fleet.servers() * etcd.change()) / 1e3;
    }

    /**
     * Returns the 99th percentile of the time of a write, in milliseconds, where servers, etcd and clients share
     * processors; infinite if these are overloaded.
     *
     * @param clients the processor time of the clients in a second, in milliseconds
     */
    double p99(Fleet fleet, int processors, double clients) {
        return p99 * stretch(processors, (servers(fleet) + etcd(fleet) + clients) / 1e3);
    }

    /**
     * Returns the writes a second at which a server with its own processors is busy for a share of the time.
     *
     * @param servers the number of servers
     * @param watches the watches, of all servers
     * @param processors of each server
     */
    double capacity(int servers, int watches, int processors, double share) {
        double perWrite = server.write() + servers * server.change() + watches * server.delivery();
        return servers * (share * processors * 1e3 - server.base()) * 1e3 / perWrite;
    }

    /** Returns how many times longer something takes than without load. */
    static double stretch(int processors, double busy) {
        return busy < processors ? 1 + erlangC(processors, busy) / (processors - busy) : Double.POSITIVE_INFINITY;
    }

    /** Returns the share of requests that wait, by the formula of Erlang. */
    static double erlangC(int processors, double busy) {
        double term = 1;
        double sum = 0;
        for (int i = 0; i < processors; i++) {
            sum += term;
            term *= busy / (i + 1);
        }
        double all = term * processors / (processors - busy);
        return all / (sum + all);
    }
}
