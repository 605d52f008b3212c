package dev.evenkeel.benchmarks;

/**
 * Predicts the processor time of API servers that share one etcd, and how long writes wait, from unit costs that were
 * measured with one and two servers.
 *
 * <p>Each server applies all changes, made by any server, and sends each to its own watches. The costs of a fleet of
 * {@code N} servers, {@code K} writes a second and {@code M} watches that see all of them, in a second:
 *
 * <pre>
 * servers = N * idle + K * (write + N * change + M * delivery)
 * etcd    = idle + K * (write + N * change)
 * </pre>
 *
 * A write waits for processors as in a queue with several servers and exponential service times (M/M/c): with the load
 * ρ of {@code c} processors and a cost {@code s} of a write, the share {@code P} of Erlang's C formula waits at all, and a
 * share {@code q} of all waits longer than {@code s / (c * (1 - ρ)) * ln(P / q)}.
 *
 * @param server the costs of a server
 * @param etcd the costs of etcd
 * @param p99 the 99th percentile of the time of a write, in milliseconds, when there is hardly any load
 */
record FleetModel(Server server, Etcd etcd, double p99) {
    /**
     * The processor time of a server.
     *
     * @param idle of a second without load, in milliseconds
     * @param write of a request that writes, without its change, in microseconds
     * @param change of a change by any server, in microseconds
     * @param delivery of a change to one watch, in microseconds
     */
    record Server(double idle, double write, double change, double delivery) {}

    /**
     * The processor time of etcd.
     *
     * @param idle of a second without load, in milliseconds
     * @param write of a write, in microseconds
     * @param change of a change that is sent to one server, in microseconds
     */
    record Etcd(double idle, double write, double change) {}

    /**
     * A fleet, and its load, which is spread evenly.
     *
     * @param servers the number of servers
     * @param writes the writes a second, of all servers
     * @param watches the watches, of all servers
     */
    record Fleet(int servers, double writes, int watches) {}

    /** Returns the processor time of all servers in a second, in milliseconds. */
    double servers(Fleet fleet) {
        double perWrite = server.write() + fleet.servers() * server.change() + fleet.watches() * server.delivery();
        return fleet.servers() * server.idle() + fleet.writes() * perWrite / 1e3;
    }

    /** Returns the processor time of etcd in a second, in milliseconds. */
    double etcd(Fleet fleet) {
        return etcd.idle() + fleet.writes() * (etcd.write() + fleet.servers() * etcd.change()) / 1e3;
    }

    /**
     * Returns the 99th percentile of the time of a write, in milliseconds, where servers, etcd and clients share
     * processors; infinite if these are overloaded.
     *
     * @param clients the processor time of the clients in a second, in milliseconds
     */
    double p99(Fleet fleet, int processors, double clients) {
        double busy = (servers(fleet) + etcd(fleet) + clients) / 1e3;
        return p99 + wait(processors, busy, busy * 1e3 / fleet.writes(), 0.01);
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
        return servers * (share * processors * 1e3 - server.idle()) * 1e3 / perWrite;
    }

    /** Returns how long a share of requests waits at least; in the unit of the service time. */
    static double wait(int processors, double busy, double service, double share) {
        if (busy >= processors) {
            return Double.POSITIVE_INFINITY;
        }
        double waiting = erlangC(processors, busy);
        return waiting <= share ? 0 : service / (processors - busy) * Math.log(waiting / share);
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
