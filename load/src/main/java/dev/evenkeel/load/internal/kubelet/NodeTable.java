package dev.evenkeel.load.internal.kubelet;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes by the number of their pods. A pod goes to the first that fits; it costs as much as there are nodes before it
 * that do not. Not safe for use by several threads.
 */
final class NodeTable {
    /** A node that exists, or that pods name. */
    private static final class Node {
        final String name;
        int pods;
        /** Absent while the node does not exist. */
        @Nullable
        Properties properties;

        Node(String name) {
            this.name = name;
        }
    }

    /**
     * The properties of a node that exists.
     *
     * @param address the address of the node; empty if it has none
     */
    record Properties(Map<String, String> labels, boolean schedulable, String address) {
        Properties {
            labels = Map.copyOf(labels);
        }
    }

    private final Map<String, Node> nodes = new HashMap<>();
    private final TreeSet<Node> order =
            new TreeSet<>(Comparator.<Node>comparingInt(node -> node.pods).thenComparing(node -> node.name));

    /** Adds a node or changes its properties; returns whether pods may now go where they could not. */
    boolean put(String name, Properties properties) {
        Node node = nodes.computeIfAbsent(name, Node::new);
        boolean changed = !properties.equals(node.properties);
        node.properties = properties;
        order.remove(node);
        if (properties.schedulable()) {
            order.add(node);
        }
        return changed && properties.schedulable();
    }

    /** Removes a node; pods that name it stay counted. */
    void remove(String name) {
        Node node = nodes.get(name);
        if (node != null) {
            order.remove(node);
            node.properties = null;
            forgetIfUnused(node);
        }
    }

    /** Returns the node with the fewest pods among those that have the labels and take pods. */
    Optional<String> choose(Map<String, String> selector) {
        for (Node node : order) {
            Properties properties = node.properties;
            if (properties != null && properties.labels.entrySet().containsAll(selector.entrySet())) {
                return Optional.of(node.name);
            }
        }
        return Optional.empty();
    }

    /** Counts pods of a node. */
    void count(String name, int difference) {
        Node node = nodes.computeIfAbsent(name, Node::new);
        boolean ordered = order.remove(node);
        node.pods += difference;
        if (ordered) {
            order.add(node);
        }
        forgetIfUnused(node);
    }

    private void forgetIfUnused(Node node) {
        if (node.properties == null && node.pods == 0) {
            nodes.remove(node.name);
        }
    }

    /** Returns the address of a node; empty if it is not known. */
    String address(String name) {
        Node node = nodes.get(name);
        return node == null || node.properties == null ? "" : node.properties.address;
    }
}
