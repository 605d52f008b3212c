package dev.evenkeel.load.internal.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A program to be measured: does what the lines of its input say, and answers each. */
final class Child {
    /** What the program retains. */
    static final class Retained {
        final byte[] content = new byte[1000];
    }

    private static final List<Object> HELD = new ArrayList<>();
    private static long sink;

    private Child() {}

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            int number = Integer.parseInt(words[1]);
            switch (words[0]) {
                case "hold" -> hold(number);
                case "release" -> HELD.clear();
                case "allocate" -> allocate(number);
                case "files" -> open(number);
                case "threads" -> start(number);
                case "spin" -> spin(number);
                case "write" -> write(number);
                default -> throw new IllegalArgumentException(line);
            }
            System.out.println("done");
        }
    }

    private static void hold(int megabytes) {
        for (int i = 0; i < megabytes * 1_000; i++) {
            HELD.add(new Retained());
        }
    }

    private static void allocate(int megabytes) {
        for (int i = 0; i < megabytes * 100; i++) {
            sink += new byte[10_000].length;
        }
    }

    private static void open(int files) throws IOException {
        Path file = Files.createTempFile("child", ".txt");
        for (int i = 0; i < files; i++) {
            HELD.add(Files.newInputStream(file));
        }
        Files.delete(file);
    }

    private static void start(int threads) {
        CountDownLatch running = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Thread unused = Thread.ofPlatform().daemon().start(() -> {
                running.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        try {
            running.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Uses this much of CPU time, however busy the machine is. */
    private static void spin(int millis) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + millis * 1_000_000L;
        while (threads.getCurrentThreadCpuTime() < end) {
            sink++;
        }
    }

    private static void write(int kilobytes) {
        try {
            Path file = Files.createTempFile("child", ".bin");
            Files.write(file, new byte[kilobytes * 1_000]);
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
