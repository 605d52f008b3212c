package dev.evenkeel.policy.internal.nftables;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Network namespaces that are joined as a tree: leaves are pods and hosts outside, below nodes, which are below a router.
 * Neighbors are static, so a packet is delivered or dropped at once. The network of the machine is not touched.
 */
final class Lab implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final String PREFIX = "ekt";
    private static final String GATEWAY = "169.254.0.1";
    private static final String GATEWAY6 = "fe80::1";

    private final String prefix = PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet() + "-";
    private final Map<String, Host> hosts = new LinkedHashMap<>();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("lab").daemon().factory());
    private final int own;

    /** A host: its parent in the tree, and its addresses. */
    private record Host(String parent, List<String> addresses, int number, int descriptor) {
        String mac(boolean ofParent) {
            return "02:00:00:0" + (ofParent ? 1 : 2) + ":%02x:%02x".formatted(number >> 8, number & 255);
        }

        String link() {
            return "v" + number;
        }
    }

    private Lab() throws IOException {
        own = Native.open("/proc/self/ns/net");
    }

    /** Returns why there can't be a lab on this machine; empty if there can. */
    static Optional<String> missing() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return Optional.of("not root: network namespaces can't be made");
        }
        for (String tool : List.of("ip", "nft")) {
            if (Stream.of("/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/sbin")
                    .noneMatch(directory -> Files.isExecutable(Path.of(directory, tool)))) {
                return Optional.of("no command " + tool);
            }
        }
        try (Lab lab = new Lab()) {
            lab.add("probe", "", List.of());
            lab.start();
            lab.nft("probe").run("add table inet probe\ndelete table inet probe\n");
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.of("no network namespaces with nftables: " + e.getMessage());
        }
    }

    /** Makes a lab; removes those that processes left that do not live any more. */
    static Lab create() {
        try {
            if (Files.isDirectory(NAMESPACES)) {
                List<Path> left;
                try (Stream<Path> files = Files.list(NAMESPACES)) {
                    left = files.filter(file -> isLeft(file.getFileName().toString()))
                            .toList();
                }
                for (Path file : left) {
                    run(List.of("ip", "netns", "del", file.getFileName().toString()), "");
                }
            }
            return new Lab();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isLeft(String name) {
        return name.matches(PREFIX + "\\d+-.*")
                && ProcessHandle.of(Long.parseLong(name.substring(PREFIX.length(), name.indexOf('-'))))
                        .isEmpty();
    }

    /** Adds a host below another one; the root has an empty parent. */
    Lab add(String name, String parent, List<String> addresses) {
        hosts.put(name, new Host(parent, addresses, hosts.size() + 1, -1));
        return this;
    }

    /** Makes the namespaces and their links. */
    Lab start() {
        StringBuilder batch = new StringBuilder();
        hosts.forEach((name, host) ->
                batch.append("netns add ").append(namespace(name)).append('\n'));
        run(List.of("ip", "-batch", "-"), batch.toString());
        for (Map.Entry<String, Host> host : hosts.entrySet()) {
            host.setValue(opened(host.getKey(), host.getValue()));
            in(host.getKey(), Lab::configure);
        }
        StringBuilder links = new StringBuilder();
        hosts.forEach((name, host) -> {
            if (!host.parent().isEmpty()) {
                links.append("link add name eth0 netns %s address %s type veth peer name %s netns %s address %s\n"
                        .formatted(
                                namespace(name),
                                host.mac(false),
                                host.link(),
                                namespace(host.parent()),
                                host.mac(true)));
            }
        });
        run(List.of("ip", "-batch", "-"), links.toString());
        hosts.forEach((name, host) -> run(List.of("ip", "-n", namespace(name), "-batch", "-"), settings(name, host)));
        return this;
    }

    private Host opened(String name, Host host) {
        try {
            return new Host(
                    host.parent(),
                    host.addresses(),
                    host.number(),
                    Native.open(NAMESPACES.resolve(namespace(name)).toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Settings of this thread's namespace. */
    private static Void configure() throws IOException {
        for (String setting : List.of(
                "ipv4/ip_forward=1",
                "ipv4/conf/all/rp_filter=0",
                "ipv4/conf/default/rp_filter=0",
                "ipv6/conf/all/disable_ipv6=0",
                "ipv6/conf/default/disable_ipv6=0",
                "ipv6/conf/default/accept_dad=0",
                "ipv6/conf/all/forwarding=1")) {
            int equal = setting.indexOf('=');
            Files.writeString(Path.of("/proc/sys/net", setting.substring(0, equal)), setting.substring(equal + 1));
        }
        return null;
    }

    private String settings(String name, Host host) {
        List<String> lines = new ArrayList<>();
        lines.add("link set lo up");
        if (!host.parent().isEmpty()) {
            host.addresses()
                    .forEach(address -> lines.add(
                            "addr add " + address + length(address) + " dev eth0" + (isIpv6(address) ? " nodad" : "")));
            lines.add("link set eth0 up");
            lines.add("neigh add " + GATEWAY + " lladdr " + host.mac(true) + " dev eth0 nud permanent");
            lines.add("neigh add " + GATEWAY6 + " lladdr " + host.mac(true) + " dev eth0 nud permanent");
            lines.add("route add default via " + GATEWAY + " dev eth0 onlink");
            lines.add("route add default via " + GATEWAY6 + " dev eth0");
        }
        hosts.forEach((other, child) -> {
            if (child.parent().equals(name)) {
                lines.add("link set " + child.link() + " up");
                for (String address : addressesBelow(other)) {
                    lines.add("neigh add " + address + " lladdr " + child.mac(false) + " dev " + child.link()
                            + " nud permanent");
                    lines.add("route add " + address + length(address) + " dev " + child.link());
                }
            }
        });
        return String.join("\n", lines) + "\n";
    }

    private List<String> addressesBelow(String name) {
        List<String> addresses = new ArrayList<>(host(name).addresses());
        hosts.forEach((other, child) -> {
            if (child.parent().equals(name)) {
                addresses.addAll(addressesBelow(other));
            }
        });
        return addresses;
    }

    private static boolean isIpv6(String address) {
        return address.contains(":");
    }

    private static String length(String address) {
        return isIpv6(address) ? "/128" : "/32";
    }

    private Host host(String name) {
        return Objects.requireNonNull(hosts.get(name), name);
    }

    /** Returns the names of the hosts. */
    List<String> names() {
        return List.copyOf(hosts.keySet());
    }

    List<String> addresses(String name) {
        return host(name).addresses();
    }

    /** Returns the name of the namespace of a host. */
    String namespace(String name) {
        return prefix + name.replace('/', '.');
    }

    /** Returns the words that run a command in the namespace of a host. */
    List<String> command(String name, String... words) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace(name)));
        command.addAll(List.of(words));
        return command;
    }

    Nft nft(String name) {
        return new Nft(command(name, "nft"), java.time.Duration.ofSeconds(60));
    }

    /** Does something in the namespace of a host: sockets that are opened belong to it. */
    <T> T in(String name, Callable<T> action) {
        int descriptor = host(name).descriptor();
        try {
            return thread.submit(() -> {
                        Native.enter(descriptor);
                        try {
                            return action.call();
                        } finally {
                            Native.enter(own);
                        }
                    })
                    .get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(name, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a command, and returns its output. */
    static String run(List<String> command, String input) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(String.join(" ", command) + "\n" + input + "\n" + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        hosts.forEach((name, host) -> {
            try {
                if (host.descriptor() >= 0) {
                    Native.close(host.descriptor());
                    run(List.of("ip", "netns", "del", namespace(name)), "");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            Native.close(own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
