package dev.evenkeel.policy.internal.nftables;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * Opens connections between the hosts of a lab, all at once: TCP with connections, UDP with datagrams that are received,
 * and SCTP with INIT packets and ICMP with echo requests that are.
 */
final class Prober implements AutoCloseable {
    private static final int SCTP = 132;
    private static final int ICMP = 1;
    private static final int ICMPV6 = 58;
    private static final int ECHO_REQUEST = 8;
    private static final int ECHO_REQUEST_V6 = 128;

    /** Requests, and replies to those that have arrived; errors have no number. */
    private static final Set<Integer> ECHO = Set.of(ECHO_REQUEST, 0, ECHO_REQUEST_V6, 129);

    private static final String NOT_PERMITTED = "Operation not permitted";
    private static final long PATIENCE = 5_000_000_000L;

    /** Packets that are dropped were sent before those that have arrived: this is for the last ones. */
    private static final long GRACE = 10_000_000L;

    private final Lab lab;
    private final Map<String, String> hosts = new HashMap<>();
    private final Map<String, ServerSocketChannel> tcp = new HashMap<>();
    private final Map<String, DatagramChannel> udp = new HashMap<>();
    private final Map<String, DatagramChannel> senders = new HashMap<>();
    private final Map<String, Integer> sctp = new HashMap<>();
    private final Map<String, Integer> icmp = new HashMap<>();
    private int tag = 1;

    /** Creates a prober of all hosts of a lab that have addresses. */
    Prober(Lab lab) {
        this.lab = lab;
        for (String name : lab.names()) {
            for (String address : lab.addresses(name)) {
                hosts.put(address, name);
            }
        }
        hosts.forEach((address, name) -> lab.in(name, () -> {
            senders.put(address, datagrams(address, 0));
            sctp.put(address, Native.rawSocket(InetAddress.getByName(address), SCTP));
            icmp.put(address, Native.rawSocket(InetAddress.getByName(address), address.contains(":") ? ICMPV6 : ICMP));
            return address;
        }));
    }

    /**
     * A connection to open.
     *
     * @param from an address of the lab
     * @param to another one
     * @param protocol TCP, UDP, SCTP or ICMP
     * @param port the port at the destination; of ICMP, the code of the echo request
     */
    record Attempt(String from, String to, String protocol, int port) {}

    private static DatagramChannel datagrams(String address, int port) throws IOException {
        DatagramChannel channel = DatagramChannel.open(
                address.contains(":") ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
        channel.bind(new InetSocketAddress(address, port)).configureBlocking(false);
        return channel;
    }

    private void listen(Attempt attempt) {
        String key = attempt.to() + " " + attempt.port();
        String host = hosts.get(attempt.to());
        if (attempt.protocol().equals("TCP")) {
            tcp.computeIfAbsent(
                    key,
                    unused -> lab.in(host, () -> {
                        ServerSocketChannel channel = ServerSocketChannel.open();
                        channel.bind(new InetSocketAddress(attempt.to(), attempt.port()), 4096)
                                .configureBlocking(false);
                        return channel;
                    }));
        } else if (attempt.protocol().equals("UDP")) {
            udp.computeIfAbsent(key, unused -> lab.in(host, () -> datagrams(attempt.to(), attempt.port())));
        }
    }

    /**
     * Opens connections, and returns which of them arrive. It waits long for those that should, and shortly for the others.
     *
     * @param attempts the connections
     * @param expected the numbers of those that should arrive
     */
    BitSet run(List<Attempt> attempts, BitSet expected) {
        attempts.forEach(this::listen);
        BitSet arrived = new BitSet();
        int first = tag;
        tag += attempts.size();
        Map<Integer, SocketChannel> open = new LinkedHashMap<>();
        try {
            Map<String, List<Integer>> byHost = new LinkedHashMap<>();
            for (int i = 0; i < attempts.size(); i++) {
                byHost.computeIfAbsent(hosts.get(attempts.get(i).from()), key -> new java.util.ArrayList<>())
                        .add(i);
            }
            byHost.forEach((host, numbers) -> lab.in(host, () -> {
                for (int number : numbers) {
                    send(attempts.get(number), number, first, open);
                }
                return host;
            }));
            long start = System.nanoTime();
            while (true) {
                receive(first, arrived, open);
                BitSet missing = (BitSet) expected.clone();
                missing.andNot(arrived);
                if (missing.isEmpty() || System.nanoTime() - start > PATIENCE) {
                    break;
                }
                Thread.onSpinWait();
            }
            long end = System.nanoTime() + GRACE;
            while (System.nanoTime() < end) {
                receive(first, arrived, open);
                Thread.yield();
            }
            return arrived;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            open.values().forEach(Prober::reset);
        }
    }

    private void send(Attempt attempt, int number, int first, Map<Integer, SocketChannel> open) throws IOException {
        try {
            sendUnlessDropped(attempt, number, first, open);
        } catch (IOException e) {
            // what a host drops of its own is an error there
            if (!String.valueOf(e.getMessage()).contains(NOT_PERMITTED)) {
                throw e;
            }
        }
    }

    private void sendUnlessDropped(Attempt attempt, int number, int first, Map<Integer, SocketChannel> open)
            throws IOException {
        InetSocketAddress to = new InetSocketAddress(attempt.to(), attempt.port());
        switch (attempt.protocol()) {
            case "TCP" -> {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                channel.bind(new InetSocketAddress(attempt.from(), 0));
                open.put(number, channel);
                channel.connect(to);
            }
            case "UDP" -> {
                ByteBuffer data = ByteBuffer.allocate(4).putInt(first + number).flip();
                senders.get(attempt.from()).send(data, to);
            }
            case "ICMP" ->
                Native.send(
                        icmp.get(attempt.from()),
                        to.getAddress(),
                        echo(attempt.from().contains(":"), first + number, attempt.port()));
            default -> Native.send(sctp.get(attempt.from()), to.getAddress(), init(first + number, attempt.port()));
        }
    }

    /** An INIT packet; its tag tells which one it is. */
    private static byte[] init(int tag, int port) {
        ByteBuffer packet = ByteBuffer.allocate(32);
        packet.putShort((short) (20_000 + tag % 40_000))
                .putShort((short) port)
                .putInt(0)
                .putInt(0);
        packet.put((byte) 1).put((byte) 0).putShort((short) 20);
        packet.putInt(tag)
                .putInt(65_536)
                .putShort((short) 1)
                .putShort((short) 1)
                .putInt(1);
        CRC32C sum = new CRC32C();
        sum.update(packet.array());
        packet.order(ByteOrder.LITTLE_ENDIAN).putInt(8, (int) sum.getValue());
        return packet.array();
    }

    /**
     * An echo request; its data tell which one it is. Its identifier, too, so that it is a connection of its own. The kernel
     * adds the checksum of ICMPv6.
     */
    private static byte[] echo(boolean ipv6, int tag, int code) {
        ByteBuffer packet = ByteBuffer.allocate(12);
        packet.put((byte) (ipv6 ? ECHO_REQUEST_V6 : ECHO_REQUEST)).put((byte) code);
        packet.putShort((short) 0).putShort((short) tag).putShort((short) 0).putInt(tag);
        int sum = 0;
        for (int i = 0; i < packet.capacity(); i += 2) {
            sum += packet.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        packet.putShort(2, (short) ~(sum + (sum >>> 16)));
        return packet.array();
    }

    private void receive(int first, BitSet arrived, Map<Integer, SocketChannel> open) throws IOException {
        for (Map.Entry<Integer, SocketChannel> entry : open.entrySet()) {
            if (!arrived.get(entry.getKey()) && entry.getValue().finishConnect()) {
                arrived.set(entry.getKey());
            }
        }
        for (ServerSocketChannel listener : tcp.values()) {
            for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
                channel.close();
            }
        }
        ByteBuffer data = ByteBuffer.allocate(64);
        for (DatagramChannel receiver : udp.values()) {
            while (receiver.receive(data.clear()) != null) {
                note(data.flip().getInt(), first, arrived);
            }
        }
        receiveRaw(sctp, 16, type -> true, first, arrived);
        receiveRaw(icmp, 8, ECHO::contains, first, arrived);
    }

    /** Receives packets, of which those with certain first bytes have their number at a place behind the IP header. */
    private static void receiveRaw(
            Map<String, Integer> sockets, int place, Predicate<Integer> types, int first, BitSet arrived)
            throws IOException {
        for (Map.Entry<String, Integer> socket : sockets.entrySet()) {
            for (byte[] packet = Native.receive(socket.getValue());
                    packet.length > 0;
                    packet = Native.receive(socket.getValue())) {
                int header = socket.getKey().contains(":") ? 0 : (packet[0] & 15) * 4;
                if (types.test(packet[header] & 255)) {
                    note(ByteBuffer.wrap(packet).getInt(header + place), first, arrived);
                }
            }
        }
    }

    private static void note(int number, int first, BitSet arrived) {
        if (number >= first) {
            arrived.set(number - first);
        }
    }

    private static void reset(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            for (ServerSocketChannel channel : tcp.values()) {
                channel.close();
            }
            for (DatagramChannel channel : udp.values()) {
                channel.close();
            }
            for (DatagramChannel channel : senders.values()) {
                channel.close();
            }
            for (int socket : sctp.values()) {
                Native.close(socket);
            }
            for (int socket : icmp.values()) {
                Native.close(socket);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
