package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The cluster addresses, from 10.0.0.0/8, and node ports, from 30000-32767, that the services of a partition have, and
 * those that running writes have reserved.
 *
 * <p>What a service has is known from {@link #changed}, so that it is free again when the service is changed or deleted.
 * What a write reserves is free again when the write has ended: by then its service has it, or it was refused or a dry
 * run. A dry run reserves nothing, and gets placeholders as upstream: the address of the range, and ports above those of nodes. Traffic
 * is not routed, so addresses only have to be plausible; they are given out in order. 10.0.0.1 belongs to the
 * {@code kubernetes} service. Safe for concurrent use.
 */
public final class ServiceAddresses {
    static final String RANGE = "10.0.0.0/8";
    static final String NO_NODE_PORT =
            "provided port is not in the valid range. The range of valid ports is 30000-32767";

    private static final int FIRST_HOST = 2;
    private static final int HOSTS = (1 << 24) - 3;
    private static final int FIRST_PORT = 30_000;
    private static final int PORTS = 2_768;
    private static final String DRY_ADDRESS = "10.0.0.0";
    private static final int BEFORE_DRY_PORTS = 32_768;

    /** The services and writes that have an address, a text, or a port, a number. */
    private final Map<Object, Set<Object>> holders = new HashMap<>();

    private int nextHost;
    private int nextPort;

    /** Returns whether nodes may open a port for services. */
    static boolean isNodePort(long port) {
        return port >= FIRST_PORT && port < FIRST_PORT + PORTS;
    }

    /** Returns whether an address is one of those for services: the first and the last of their range are not. */
    static boolean isInRange(String address) {
        return address.startsWith("10.") && !address.equals("10.0.0.0") && !address.equals("10.255.255.255");
    }

    /** Returns an independent copy, without what writes have reserved. */
    public synchronized ServiceAddresses fork() {
        ServiceAddresses fork = new ServiceAddresses();
        holders.forEach((thing, all) -> {
            Set<Object> services = new HashSet<>(all);
            services.removeIf(Reservations.class::isInstance);
            if (!services.isEmpty()) {
                fork.holders.put(thing, services);
            }
        });
        fork.nextHost = nextHost;
        fork.nextPort = nextPort;
        return fork;
    }

    /**
     * Notes that a service has changed.
     *
     * @param service a key of the service
     * @param before its spec before the change; empty if it is new
     * @param now its spec after the change; empty if it is deleted
     */
    public synchronized void changed(Object service, JsonObject before, JsonObject now) {
        things(before).forEach(thing -> release(thing, service));
        things(now).forEach(thing -> hold(thing, service));
    }

    private static List<Object> things(JsonObject spec) {
        List<Object> things = new ArrayList<>(spec.strings("clusterIPs"));
        spec.objects("ports").forEach(port -> things.add((int) port.integer("nodePort")));
        things.add((int) spec.integer("healthCheckNodePort"));
        return things;
    }

    private void hold(Object thing, Object holder) {
        holders.computeIfAbsent(thing, unused -> new HashSet<>(2)).add(holder);
    }

    private void release(Object thing, Object holder) {
        holders.computeIfPresent(thing, (unused, all) -> {
            all.remove(holder);
            return all.isEmpty() ? null : all;
        });
    }

    /**
     * Returns what a write can reserve.
     *
     * @param atItsEnd gets an action for the end of the write, once it has reserved something
     * @param dryRun whether nothing is written
     * @param others returns whether an address is in use by anything else
     */
    public ResourceStrategy.Addresses forWrite(Consumer<Runnable> atItsEnd, boolean dryRun, Predicate<String> others) {
        return new Reservations(atItsEnd, dryRun, others);
    }

    /** The addresses and ports that a write has reserved. */
    private final class Reservations implements ResourceStrategy.Addresses {
        private final Consumer<Runnable> atItsEnd;
        private final boolean dryRun;
        private final Predicate<String> others;
        private final List<Object> reserved = new ArrayList<>(0);

        Reservations(Consumer<Runnable> atItsEnd, boolean dryRun, Predicate<String> others) {
            this.atItsEnd = atItsEnd;
            this.dryRun = dryRun;
            this.others = others;
        }

        @Override
        public boolean isDryRun() {
            return dryRun;
        }

        private boolean reserve(Object thing) {
            if (holders.containsKey(thing) || (dryRun && reserved.contains(thing))) {
                return false;
            }
            if (dryRun) {
                reserved.add(thing);
                return true;
            }
            hold(thing, this);
            if (reserved.isEmpty()) {
                atItsEnd.accept(this::end);
            }
            reserved.add(thing);
            return true;
        }

        private void end() {
            synchronized (ServiceAddresses.this) {
                reserved.forEach(thing -> release(thing, this));
                reserved.clear();
            }
        }

        @Override
        public String address() {
            if (dryRun) {
                return DRY_ADDRESS;
            }
            synchronized (ServiceAddresses.this) {
                while (true) {
                    int host = FIRST_HOST + nextHost;
                    nextHost = (nextHost + 1) % HOSTS;
                    String address = "10." + (host >> 16) + "." + (host >> 8 & 255) + "." + (host & 255);
                    if (take(address)) {
                        return address;
                    }
                }
            }
        }

        @Override
        public OptionalInt nodePort() {
            if (dryRun) {
                int port = reserved.stream().mapToInt(Integer.class::cast).max().orElse(BEFORE_DRY_PORTS) + 1;
                reserved.add(port);
                return OptionalInt.of(port);
            }
            synchronized (ServiceAddresses.this) {
                for (int tries = 0; tries < PORTS; tries++) {
                    int port = FIRST_PORT + nextPort;
                    nextPort = (nextPort + 1) % PORTS;
                    if (reserve(port)) {
                        return OptionalInt.of(port);
                    }
                }
                return OptionalInt.empty();
            }
        }

        @Override
        public boolean take(String address) {
            synchronized (ServiceAddresses.this) {
                return !others.test(address) && reserve(address);
            }
        }

        @Override
        public boolean take(int nodePort) {
            synchronized (ServiceAddresses.this) {
                return reserve(nodePort);
            }
        }
    }
}
