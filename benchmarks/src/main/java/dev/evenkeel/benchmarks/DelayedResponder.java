package dev.evenkeel.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * An API server of ConfigMaps in a process of its own: it answers each create after a known delay, and sends the event of the
 * new object after the same delay again. It measures both delays itself, as the machine may be busy.
 */
final class DelayedResponder implements AutoCloseable {
    private static final long SPIN = 200_000;

    private final JavaProcess process;
    final URI url;

    /** Percentiles of delays, in nanoseconds: from the request to the answer, and from the answer to the event. */
    record Delays(long answerMedian, long answerP99, long eventMedian, long eventP99) {}

    /** Starts a responder; returns when it listens. */
    DelayedResponder() throws IOException {
        process = new JavaProcess(
                "responder",
                DelayedResponder.class,
                List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-Dsun.net.httpserver.nodelay=true"),
                List.of());
        url = URI.create(process.answer("serves")[1]);
    }

    /** Sets the delay, and forgets those before. */
    void delay(long nanos) throws IOException {
        process.say("delay " + nanos);
        String[] _ = process.answer("set");
    }

    Delays delays() throws IOException {
        process.say("delays");
        String[] words = process.answer("delays");
        return new Delays(
                Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4]));
    }

    @Override
    public void close() {
        process.close();
    }

    /** The server in the other process. */
    private static final class Responder {
        private final List<OutputStream> watches = new CopyOnWriteArrayList<>();
        private final List<Long> answers = new ArrayList<>();
        private final List<Long> events = new ArrayList<>();
        private volatile long delay;
        private int version = 1;

        private void handle(HttpExchange exchange) throws IOException {
            long received = System.nanoTime();
            byte[] body = exchange.getRequestBody().readAllBytes();
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (exchange.getRequestMethod().equals("POST")) {
                create(exchange, body, received);
            } else if (query.contains("sendInitialEvents")) {
                answer(exchange, 422, """
                        {"apiVersion":"v1","kind":"Status","status":"Failure","reason":"Invalid","code":422,\
                        "message":"sendInitialEvents: Forbidden: this server has lists only"}""");
            } else if (query.contains("watch=")) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().flush();
                watches.add(exchange.getResponseBody());
            } else {
                answer(exchange, 200, """
                        {"apiVersion":"v1","kind":"ConfigMapList","metadata":{"resourceVersion":"1"},"items":[]}""");
            }
        }

        private void create(HttpExchange exchange, byte[] body, long received) throws IOException {
            String object = new String(body, UTF_8)
                    .replaceFirst("\"name\"", "\"resourceVersion\":\"" + next() + "\",\"uid\":\"u\",\"name\"");
            long due = delay;
            long answered = await(received + due);
            answer(exchange, 201, object);
            long shown = await(answered + due);
            for (OutputStream watch : watches) {
                synchronized (watch) {
                    watch.write(("{\"type\":\"ADDED\",\"object\":" + object + "}\n").getBytes(UTF_8));
                    watch.flush();
                }
            }
            synchronized (this) {
                answers.add(answered - received);
                events.add(shown - answered);
            }
        }

        private synchronized int next() {
            return ++version;
        }

        private static void answer(HttpExchange exchange, int status, String text) throws IOException {
            byte[] bytes = text.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }

        /** Waits until a time, and returns the time then. */
        private static long await(long time) {
            long now = System.nanoTime();
            while (now < time) {
                if (time - now > SPIN) {
                    LockSupport.parkNanos(time - now - SPIN);
                } else {
                    Thread.onSpinWait();
                }
                now = System.nanoTime();
            }
            return now;
        }

        private synchronized void execute(String[] words) {
            if (words[0].equals("delay")) {
                delay = Long.parseLong(words[1]);
                answers.clear();
                events.clear();
                System.out.println("set");
            } else {
                long[] before = sorted(answers);
                long[] after = sorted(events);
                System.out.println("delays " + ReportSection.at(before, 50) + " " + ReportSection.at(before, 99) + " "
                        + ReportSection.at(after, 50) + " " + ReportSection.at(after, 99));
            }
        }

        private static long[] sorted(List<Long> numbers) {
            long[] array = numbers.stream().mapToLong(Long::longValue).toArray();
            Arrays.sort(array);
            return array;
        }
    }

    /** Runs the process; it ends with the input. */
    public static void main(String[] args) throws Exception {
        Responder responder = new Responder();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name("responder-", 0).factory()));
        server.createContext("/", responder::handle);
        server.start();
        System.out.println("serves http://127.0.0.1:" + server.getAddress().getPort());
        JavaProcess.serve(responder::execute);
        server.stop(0);
    }
}
