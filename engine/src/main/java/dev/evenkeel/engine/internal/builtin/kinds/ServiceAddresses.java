package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import java.util.HashSet;
import java.util.Set;

/**
 * Allocates cluster addresses from 10.0.0.0/24 and node ports from 30000-32767, in order.
 *
 * <p>Traffic is not routed, so addresses only have to be plausible: they are unique while some are free; when all are
 * taken, allocation starts again from the beginning instead of refusing services. 10.0.0.1 belongs to the {@code
 * kubernetes} service. Safe for concurrent use.
 */
public final class ServiceAddresses implements ResourceStrategy.Addresses {
    private static final String PREFIX = "10.0.0.";
    private static final int FIRST_PORT = 30_000;
    private static final int PORTS = 2_768;

    private final Set<String> taken = new HashSet<>();
    private final Set<Integer> takenPorts = new HashSet<>();
    private int nextHost = 2;
    private int nextPort;

    /** Returns whether nodes may open a port for services. */
    static boolean isNodePort(long port) {
        return port >= FIRST_PORT && port < FIRST_PORT + PORTS;
    }

    /** Returns an independent copy. */
    public synchronized ServiceAddresses fork() {
        ServiceAddresses fork = new ServiceAddresses();
        fork.taken.addAll(taken);
        fork.takenPorts.addAll(takenPorts);
        fork.nextHost = nextHost;
        fork.nextPort = nextPort;
        return fork;
    }

    /** Takes what a stored service has. */
    public synchronized void takeAll(JsonObject spec) {
        taken.addAll(spec.strings("clusterIPs"));
        spec.objects("ports").forEach(port -> takenPorts.add((int) port.integer("nodePort")));
    }

    @Override
    public synchronized String address() {
        for (int tries = 0; tries < 253; tries++) {
            String address = PREFIX + nextHost;
            nextHost = nextHost == 254 ? 2 : nextHost + 1;
            if (taken.add(address)) {
                return address;
            }
        }
        taken.clear();
        taken.add(PREFIX + nextHost);
        return PREFIX + nextHost;
    }

    @Override
    public synchronized int nodePort() {
        for (int tries = 0; tries < PORTS; tries++) {
            int port = FIRST_PORT + nextPort;
            nextPort = (nextPort + 1) % PORTS;
            if (takenPorts.add(port)) {
                return port;
            }
        }
        takenPorts.clear();
        return nodePort();
    }

    @Override
    public synchronized boolean take(String address) {
        return taken.add(address);
    }

    @Override
    public synchronized void release(String address) {
        taken.remove(address);
    }
}
