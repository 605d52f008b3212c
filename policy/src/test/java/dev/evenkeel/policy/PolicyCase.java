package dev.evenkeel.policy;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * A case of {@code cases.yaml}: a cluster, and which connections are allowed in it. The file has the notation.
 *
 * @param name the behaviour
 * @param world the objects
 * @param matrices the expected verdicts by probe, such as {@code 80/TCP over IPv4}
 */
public record PolicyCase(String name, World world, Map<Probe, Map<Pair, Boolean>> matrices) {
    private static final List<String> PROBES = List.of("80/TCP", "81/TCP", "53/UDP", "9000/SCTP");
    private static final List<String> PODS = List.of("x/a", "x/b", "y/a", "y/b", "z/a", "z/b");
    private static final List<String> OTHERS = List.of("n1", "n2", "ext", "ext2", "ext3");
    private static final Map<String, List<String>> ADDRESSES = addresses();

    /**
     * A kind of connection.
     *
     * @param port such as {@code 80/TCP}
     * @param family the index of the address: 0 for IPv4, 1 for IPv6
     */
    public record Probe(String port, int family) {
        /** Returns the protocol. */
        public String protocol() {
            return port.substring(port.indexOf('/') + 1);
        }

        /** Returns the number of the port. */
        public int number() {
            return Integer.parseInt(port.substring(0, port.indexOf('/')));
        }

        @Override
        public String toString() {
            return port + " over IPv" + (family == 0 ? 4 : 6);
        }
    }

    /** The names of two ends. */
    public record Pair(String from, String to) {
        /** Returns the address of the source. */
        public String fromAddress(Probe probe) {
            return ADDRESSES.get(from).get(probe.family());
        }

        /** Returns the address of the destination. */
        public String toAddress(Probe probe) {
            return ADDRESSES.get(to).get(probe.family());
        }
    }

    private static Map<String, List<String>> addresses() {
        Map<String, List<String>> addresses = new LinkedHashMap<>();
        for (String pod : PODS) {
            int namespace = 1 + "xyz".indexOf(pod.charAt(0));
            int number = 1 + "ab".indexOf(pod.charAt(2));
            addresses.put(pod, List.of("10.0." + namespace + "." + number, "fd00::" + namespace + ":" + number));
        }
        addresses.put("n1", List.of("172.18.0.2", "fd18::2"));
        addresses.put("n2", List.of("172.18.0.3", "fd18::3"));
        addresses.put("ext", List.of("172.17.0.5", "2001:db8::5"));
        addresses.put("ext2", List.of("172.17.1.5", "2001:db8:1::5"));
        addresses.put("ext3", List.of("10.0.0.7", "2001:db8:2::7"));
        return addresses;
    }

    /** Reads all cases. */
    public static List<PolicyCase> all() {
        try (InputStream file = Objects.requireNonNull(PolicyCase.class.getResourceAsStream("cases.yaml"))) {
            List<?> cases = (List<?>)
                    new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build()).loadFromInputStream(file);
            return cases.stream().map(one -> read((Map<?, ?>) one)).toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PolicyCase read(Map<?, ?> text) {
        Set<String> known = Set.of(
                "name", "podLabels", "namespaceLabels", "nodeLabels", "policies", "expect", "expect4", "expect6");
        for (Object key : text.keySet()) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(text.get("name") + ": unknown field " + key);
            }
        }
        World world = new World();
        world.namespace("x", labels(text, "namespaceLabels", "x", Map.of("ns", "x", "team", "red")));
        world.namespace("y", labels(text, "namespaceLabels", "y", Map.of("ns", "y", "team", "red", "env", "prod")));
        world.namespace("z", labels(text, "namespaceLabels", "z", Map.of("ns", "z", "team", "blue")));
        for (String node : List.of("n1", "n2")) {
            world.node(
                    node,
                    labels(text, "nodeLabels", node, Map.of()),
                    ADDRESSES.get(node).toArray(new String[0]));
        }
        for (String pod : PODS) {
            boolean isA = pod.endsWith("a");
            world.pod(
                    pod.substring(0, 1),
                    pod.substring(2),
                    pod.startsWith("x") || pod.equals("y/a") ? "n1" : "n2",
                    labels(text, "podLabels", pod, Map.of("pod", pod.substring(2), "app", isA ? "web" : "db")),
                    ADDRESSES.get(pod),
                    List.of("http=" + (isA ? 80 : 81) + "/TCP", "dns=53/UDP", "sig=9000/SCTP"));
        }
        world.pod("x", "h", "n1", Map.of("pod", "a", "app", "web"), ADDRESSES.get("n1"), List.of("http=80/TCP"))
                .getSpec()
                .setHostNetwork(true);
        int number = 0;
        for (Object policy : list(text.get("policies"))) {
            number++;
            world.add(policy((Map<?, ?>) policy, "p" + number));
        }
        return new PolicyCase((String) text.get("name"), world, matrices(text));
    }

    private static Map<String, String> labels(Map<?, ?> text, String field, String name, Map<String, String> usual) {
        Map<String, String> labels = new TreeMap<>(usual);
        map(map(text.get(field)).get(name)).forEach((label, value) -> {
            if (value == null) {
                labels.remove(label);
            } else {
                labels.put((String) label, (String) value);
            }
        });
        return labels;
    }

    private static HasMetadata policy(Map<?, ?> text, String number) {
        boolean ofCluster = "ClusterNetworkPolicy".equals(text.get("kind"));
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", text.containsKey("name") ? text.get("name") : number);
        if (!ofCluster) {
            metadata.put("namespace", text.containsKey("namespace") ? text.get("namespace") : "x");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("apiVersion", ofCluster ? "policy.networking.k8s.io/v1beta1" : "networking.k8s.io/v1");
        object.put("kind", ofCluster ? "ClusterNetworkPolicy" : "NetworkPolicy");
        object.put("metadata", metadata);
        object.put("spec", text.get("spec"));
        String yaml = new Dump(DumpSettings.builder().build()).dumpToString(object);
        Class<? extends HasMetadata> type = ofCluster ? ClusterNetworkPolicy.class : NetworkPolicy.class;
        return ModelCodec.convert(Manifests.parse(yaml).getFirst(), type);
    }

    private static Map<Probe, Map<Pair, Boolean>> matrices(Map<?, ?> text) {
        Set<String> ports = new LinkedHashSet<>(PROBES);
        for (String field : List.of("expect", "expect4", "expect6")) {
            map(text.get(field)).keySet().stream()
                    .map(String.class::cast)
                    .filter(port -> !port.equals("*"))
                    .forEach(ports::add);
        }
        Map<Probe, Map<Pair, Boolean>> matrices = new LinkedHashMap<>();
        for (String port : ports) {
            for (int family = 0; family < 2; family++) {
                matrices.put(new Probe(port, family), matrix(text, port, family == 0 ? "expect4" : "expect6"));
            }
        }
        return matrices;
    }

    private static Map<Pair, Boolean> matrix(Map<?, ?> text, String port, String family) {
        Map<Pair, Boolean> matrix = new LinkedHashMap<>();
        List<String> all = Stream.concat(PODS.stream(), OTHERS.stream()).toList();
        for (String from : all) {
            for (String to : all) {
                if (PODS.contains(from) || PODS.contains(to)) {
                    matrix.put(new Pair(from, to), true);
                }
            }
        }
        for (String field : List.of("expect", family)) {
            for (String key : List.of("*", port)) {
                for (Object statement : list(map(text.get(field)).get(key))) {
                    apply((String) statement, matrix);
                }
            }
        }
        PODS.forEach(pod -> matrix.put(new Pair(pod, pod), true));
        for (String pod : PODS) {
            matrix.put(new Pair(pod.startsWith("x") || pod.equals("y/a") ? "n1" : "n2", pod), true);
        }
        return matrix;
    }

    private static void apply(String statement, Map<Pair, Boolean> matrix) {
        String[] words = statement.split(" ");
        if (words.length != 4 || !List.of("allow", "deny").contains(words[0]) || !words[2].equals(">")) {
            throw new IllegalArgumentException("must be \"allow FROM > TO\" or \"deny FROM > TO\": " + statement);
        }
        List<Pair> pairs = matrix.keySet().stream()
                .filter(pair -> isOneOf(pair.from(), words[1]) && isOneOf(pair.to(), words[3]))
                .toList();
        if (pairs.isEmpty()) {
            throw new IllegalArgumentException("names nothing: " + statement);
        }
        pairs.forEach(pair -> matrix.put(pair, words[0].equals("allow")));
    }

    private static boolean isOneOf(String name, String patterns) {
        return Stream.of(patterns.split(","))
                .anyMatch(pattern -> pattern.equals("*")
                        || pattern.equals(name)
                        || (name.contains("/")
                                && (pattern.equals("pods")
                                        || pattern.equals(name.charAt(0) + "/*")
                                        || pattern.equals("*/" + name.charAt(2)))));
    }

    /** Returns a matrix as text: a line for each source, + for allowed. */
    public static String text(Map<Pair, Boolean> matrix) {
        List<String> all = Stream.concat(PODS.stream(), OTHERS.stream()).toList();
        StringBuilder text = new StringBuilder("     " + String.join(" ", all) + "\n");
        for (String from : all) {
            text.append("%-4s ".formatted(from));
            for (String to : all) {
                Boolean allowed = matrix.get(new Pair(from, to));
                String cell = allowed == null ? " " : allowed ? "+" : "-";
                text.append(cell).append(" ".repeat(to.length()));
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static List<?> list(Object value) {
        return value == null ? new ArrayList<>() : (List<?>) value;
    }

    private static Map<?, ?> map(Object value) {
        return value == null ? Map.of() : (Map<?, ?>) value;
    }
}
