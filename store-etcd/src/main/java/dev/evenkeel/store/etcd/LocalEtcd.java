package dev.evenkeel.store.etcd;

import dev.evenkeel.engine.spi.StoreException;
import io.etcd.jetcd.api.RangeRequest;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An etcd of one or more members on this machine, for tests and experiments: processes of the program {@code etcd}, which
 * must be installed, on ports of the loopback interface that are free.
 *
 * <pre>{@code
 * try (LocalEtcd etcd = LocalEtcd.start(directory, 1)) {
 *     EtcdOptions options = EtcdOptions.at(etcd.endpoints());
 * }
 * }</pre>
 */
public final class LocalEtcd implements AutoCloseable {
    private final Path directory;
    private final List<Member> members;
    private final Optional<EtcdTls> tls;
    private final List<String> arguments;

    /** A member, its addresses, and its process. */
    private static final class Member {
        private final String name;
        private final String clients;
        private final String peers;
        private Process process;

        @SuppressWarnings("NullAway") // started before the constructor of LocalEtcd returns
        Member(String name, String clients, String peers) {
            this.name = name;
            this.clients = clients;
            this.peers = peers;
        }
    }

    private LocalEtcd(Path directory, List<Member> members, Optional<EtcdTls> tls, List<String> arguments) {
        this.directory = directory;
        this.members = members;
        this.tls = tls;
        this.arguments = arguments;
    }

    /** Returns true if the program is on the path. */
    public static boolean installed() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "etcd")));
    }

    /**
     * Starts members that form one etcd, and waits until it works.
     *
     * @param directory where each member has a directory for its data and a file for its log
     * @param count how many members: 1, 3 or 5
     * @param arguments further arguments of the program
     * @throws StoreException when it does not start; the message has the end of its log
     */
    public static LocalEtcd start(Path directory, int count, String... arguments) {
        return start(directory, count, Optional.empty(), arguments);
    }

    /** Starts members that clients reach by TLS, with the arguments for it. */
    static LocalEtcd start(Path directory, int count, Optional<EtcdTls> tls, String... arguments) {
        String scheme = tls.isPresent() ? "https" : "http";
        List<Integer> ports = freePorts(2 * count);
        List<Member> members = IntStream.range(0, count)
                .mapToObj(i -> new Member("m" + i, url(scheme, ports.get(2 * i)), url("http", ports.get(2 * i + 1))))
                .toList();
        LocalEtcd etcd = new LocalEtcd(directory, members, tls, List.of(arguments));
        try {
            IntStream.range(0, count).forEach(etcd::restart);
            etcd.await(Duration.ofSeconds(30));
            return etcd;
        } catch (RuntimeException e) {
            etcd.close();
            throw e;
        }
    }

    private static String url(String scheme, int port) {
        return scheme + "://127.0.0.1:" + port;
    }

    /** Returns ports that were free just now, all different. */
    private static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<Integer> ports =
                    sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            return ports;
        } catch (IOException e) {
            throw new StoreException("no free ports for etcd: " + e.getMessage(), e);
        }
    }

    /** Returns the addresses of all members. */
    public String[] endpoints() {
        return members.stream().map(member -> member.clients).toArray(String[]::new);
    }

    /** Starts a member, or starts it again, with the data that it had. Does not wait until it works. */
    public void restart(int index) {
        Member member = members.get(index);
        List<String> command = new ArrayList<>(List.of("etcd", "--name", member.name));
        command.addAll(List.of("--data-dir", directory.resolve(member.name).toString()));
        command.addAll(List.of("--listen-client-urls", member.clients, "--advertise-client-urls", member.clients));
        command.addAll(List.of("--listen-peer-urls", member.peers, "--initial-advertise-peer-urls", member.peers));
        command.addAll(List.of(
                "--initial-cluster",
                members.stream().map(each -> each.name + "=" + each.peers).collect(Collectors.joining(","))));
        command.addAll(arguments);
        try {
            member.process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log(member).toFile()))
                    .start();
        } catch (IOException e) {
            throw new StoreException("cannot start etcd: is it installed (Debian: etcd-server)? " + e.getMessage(), e);
        }
    }

    private Path log(Member member) {
        return directory.resolve(member.name + ".log");
    }

    private void await(Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        for (int i = 0; i < members.size(); i++) {
            await(i, Duration.ofNanos(deadline - System.nanoTime()));
        }
    }

    /**
     * Waits until a member answers, together with the others.
     *
     * @throws StoreException when it does not after a time; the message has the end of the logs
     */
    public void await(int index, Duration wait) {
        EtcdOptions plain = EtcdOptions.at(members.get(index).clients).timeout(Duration.ofSeconds(1));
        long deadline = System.nanoTime() + wait.toNanos();
        try (Connection connection = new Connection(tls.map(plain::tls).orElse(plain))) {
            while (true) {
                try {
                    connection.range(RangeRequest.newBuilder()
                            .setKey(new Keys("/").head())
                            .build());
                    return;
                } catch (StoreException e) {
                    if (System.nanoTime() - deadline > 0
                            || !members.get(index).process.isAlive()) {
                        throw new StoreException("etcd does not start: " + e.getMessage() + "\n" + logs(), e);
                    }
                    pause();
                }
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while etcd starts", e);
        }
    }

    private String logs() {
        return members.stream()
                .map(member -> {
                    try {
                        List<String> lines = Files.readAllLines(log(member));
                        return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
                    } catch (IOException e) {
                        return "no log of " + member.name + ": " + e.getMessage();
                    }
                })
                .collect(Collectors.joining("\n\n"));
    }

    /** Kills a member at once, as {@code kill -9} does. */
    public void kill(int index) {
        Process process = members.get(index).process;
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Lets a member hang, as {@code kill -STOP} does; returns when all its threads have stopped. */
    public void stop(int index) {
        signal(index, "STOP");
        Path threads = Path.of("/proc", Long.toString(members.get(index).process.pid()), "task");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!areStopped(threads)) {
            if (System.nanoTime() > deadline) {
                throw new StoreException(members.get(index).name + " did not stop within a minute", null);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Returns true if threads are stopped, or if the system does not tell. */
    private static boolean areStopped(Path threads) {
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return !Files.exists(threads);
        }
    }

    /** Lets a member continue that hangs. */
    public void resume(int index) {
        signal(index, "CONT");
    }

    private void signal(int index, String signal) {
        try {
            String pid = Long.toString(members.get(index).process.pid());
            int code = new ProcessBuilder("kill", "-" + signal, pid).start().waitFor();
            if (code != 0) {
                throw new StoreException("kill -" + signal + " " + pid + " failed with " + code, null);
            }
        } catch (IOException e) {
            throw new StoreException("cannot run kill: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted", e);
        }
    }

    /** Kills all members; their data stays. */
    @Override
    public void close() {
        for (Member member : members) {
            if (member.process != null) {
                member.process.destroyForcibly();
                member.process.onExit().join();
            }
        }
    }
}
