package dev.evenkeel.load.internal.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The instances of each class in the heap of a JVM.
 *
 * @param classes the instances by the name of the class, those of several class loaders together
 */
public record ClassHistogram(SortedMap<String, Instances> classes) {
    //    1:         12345         678901  [B (java.base@25.0.1)
    private static final Set<String> FILLERS =
            Set.of("jdk.internal.vm.FillerObject", "[Ljdk.internal.vm.FillerElement;");

    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+)(?: \\(\\S+\\))?\\s*");

    /**
     * The instances of a class.
     *
     * @param name the name as JVMs print it: that of an array of bytes is {@code [B}
     * @param instances their number; negative in a difference if they have become fewer
     * @param bytes their size, without that of objects they refer to
     */
    public record Instances(String name, long instances, long bytes) {
        private Instances plus(Instances other) {
            return new Instances(name, instances + other.instances, bytes + other.bytes);
        }

        private Instances minus(Instances other) {
            return new Instances(name, instances - other.instances, bytes - other.bytes);
        }
    }

    public ClassHistogram {
        classes = Collections.unmodifiableSortedMap(new TreeMap<>(Map.copyOf(classes)));
    }

    /** Reads the text that {@code jcmd PID GC.class_histogram} prints. */
    static ClassHistogram parse(String text) {
        SortedMap<String, Instances> classes = new TreeMap<>();
        text.lines().forEach(line -> {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                Instances one = new Instances(
                        matcher.group(3), Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
                classes.merge(one.name(), one, Instances::plus);
            }
        });
        if (classes.isEmpty()) {
            throw new IllegalArgumentException("class histogram: no line has a number, instances, bytes and a class: "
                    + text.substring(0, Math.min(200, text.length())));
        }
        return new ClassHistogram(classes);
    }

    /** Returns the bytes of all instances, without those that collectors fill gaps with. */
    public long bytes() {
        return classes.values().stream()
                .filter(one -> !FILLERS.contains(one.name()))
                .mapToLong(Instances::bytes)
                .sum();
    }

    /**
     * Returns the classes whose instances have changed since an earlier histogram, those that grew most first, without those
     * that collectors fill gaps with.
     */
    public List<Instances> growthSince(ClassHistogram earlier) {
        TreeSet<String> names = new TreeSet<>(classes.keySet());
        names.addAll(earlier.classes.keySet());
        List<Instances> growth = new ArrayList<>();
        for (String name : names) {
            Instances none = new Instances(name, 0, 0);
            Instances difference = classes.getOrDefault(name, none).minus(earlier.classes.getOrDefault(name, none));
            if (!difference.equals(none) && !FILLERS.contains(name)) {
                growth.add(difference);
            }
        }
        growth.sort(Comparator.comparingLong(Instances::bytes).reversed().thenComparing(Instances::name));
        return List.copyOf(growth);
    }
}
