package dev.evenkeel.engine.contract;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class of a process whose heap is measured: runs another main class next to a thread that, for each line of input,
 * collects garbage and prints the bytes of heap that remain in use. The process ends with its input, hence with its test.
 */
final class HeapProbe {
    private HeapProbe() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread.ofPlatform().daemon().name("heap-probe").start(HeapProbe::answer);
        String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        var main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) rest);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static void answer() {
        try {
            for (int i = 1; System.in.read() >= 0; i++) {
                System.gc();
                long used =
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
                System.out.println("heap " + i + ": " + used);
            }
        } catch (IOException e) {
            System.out.println("the input failed: " + e);
        }
        Runtime.getRuntime().halt(0);
    }
}
