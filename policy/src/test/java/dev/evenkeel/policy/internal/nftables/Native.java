package dev.evenkeel.policy.internal.nftables;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Calls of Linux that Java has no API for: network namespaces of threads, and raw sockets. */
@SuppressWarnings("restricted")
final class Native {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_RAW = 3;
    private static final int CLONE_NEWNET = 0x4000_0000;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int EPERM = 1;
    private static final int EAGAIN = 11;
    private static final int O_CLOEXEC = 0x8_0000;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MemoryLayout I = ValueLayout.JAVA_INT;
    private static final MemoryLayout L = ValueLayout.JAVA_LONG;
    private static final MemoryLayout P = ValueLayout.ADDRESS;
    private static final MethodHandle OPEN = function("open", I, P, I);
    private static final MethodHandle SETNS = function("setns", I, I, I);
    private static final MethodHandle SOCKET = function("socket", I, I, I, I);
    private static final MethodHandle BIND = function("bind", I, I, P, I);
    private static final MethodHandle SENDTO = function("sendto", L, I, P, L, I, P, I);
    private static final MethodHandle RECV = function("recv", L, I, P, L, I);
    private static final MethodHandle CLOSE = function("close", I, I);

    private Native() {}

    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... parameters) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().find(name).orElseThrow(),
                FunctionDescriptor.of(result, parameters),
                Linker.Option.captureCallState("errno"));
    }

    /** A call, with the memory for its arguments. */
    private interface Call {
        Object invoke(MemorySegment state, Arena arena) throws Throwable;
    }

    private static long call(String name, Call call) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = ((Number) call.invoke(state, arena)).longValue();
            int errno = (int) ERRNO.get(state, 0L);
            if (result < 0 && errno != EAGAIN) {
                throw new IOException(
                        name + (errno == EPERM ? ": Operation not permitted" : " failed with errno " + errno));
            }
            return result;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a file, and returns its descriptor. */
    static int open(String path) throws IOException {
        return (int) call("open", (state, arena) -> (int) OPEN.invoke(state, arena.allocateFrom(path), O_CLOEXEC));
    }

    /** Moves this thread into a network namespace. */
    static void enter(int namespace) throws IOException {
        call("setns", (state, arena) -> (int) SETNS.invoke(state, namespace, CLONE_NEWNET));
    }

    /** Opens a raw socket with an address. */
    static int rawSocket(InetAddress address, int protocol) throws IOException {
        int family = address instanceof Inet4Address ? AF_INET : AF_INET6;
        int socket = (int) call("socket", (state, arena) -> (int) SOCKET.invoke(state, family, SOCK_RAW, protocol));
        call("bind", (state, arena) -> {
            MemorySegment name = name(arena, address);
            return (int) BIND.invoke(state, socket, name, (int) name.byteSize());
        });
        return socket;
    }

    /** Sends a packet without its IP header. */
    static void send(int socket, InetAddress to, byte[] packet) throws IOException {
        call("sendto", (state, arena) -> {
            MemorySegment name = name(arena, to);
            MemorySegment data = arena.allocateFrom(ValueLayout.JAVA_BYTE, packet);
            return (long) SENDTO.invoke(state, socket, data, (long) packet.length, 0, name, (int) name.byteSize());
        });
    }

    /** Returns a packet, with its header for IPv4; an empty one if none has arrived. */
    static byte[] receive(int socket) throws IOException {
        byte[] packet = new byte[2048];
        int[] length = new int[1];
        call("recv", (state, arena) -> {
            MemorySegment data = arena.allocate(packet.length);
            long received = (long) RECV.invoke(state, socket, data, (long) packet.length, MSG_DONTWAIT);
            length[0] = (int) Math.max(0, received);
            MemorySegment.copy(data, ValueLayout.JAVA_BYTE, 0, packet, 0, length[0]);
            return received;
        });
        return java.util.Arrays.copyOf(packet, length[0]);
    }

    static void close(int descriptor) throws IOException {
        call("close", (state, arena) -> (int) CLOSE.invoke(state, descriptor));
    }

    private static MemorySegment name(Arena arena, InetAddress address) {
        boolean ipv4 = address instanceof Inet4Address;
        MemorySegment name = arena.allocate(ipv4 ? 16 : 28);
        ByteBuffer buffer = name.asByteBuffer().order(ByteOrder.nativeOrder());
        buffer.putShort(0, (short) (ipv4 ? AF_INET : AF_INET6));
        buffer.put(ipv4 ? 4 : 8, address.getAddress());
        return name;
    }
}
