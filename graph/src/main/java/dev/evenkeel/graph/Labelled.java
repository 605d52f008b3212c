package dev.evenkeel.graph;

import java.util.List;
import java.util.Map;

/**
 * Rows with labels that are partly inherited: those of the row itself, then those of its parents in their order; of
 * several values of a label the first counts. The labels of a parent are kept once, however many rows inherit them.
 *
 * @param <K> keys of the rows
 */
public final class Labelled<K> {
    /** The labels of a row, and the keys of its parents. */
    record Labels(Map<String, String> own, List<?> parents) {}

    final Node<K, Labels> rows;
    final Node<Object, Map<String, String>> parents;

    @SuppressWarnings("unchecked") // parents are looked up only
    Labelled(Node<K, Labels> rows, Node<?, Map<String, String>> parents) {
        this.rows = rows;
        this.parents = (Node<Object, Map<String, String>>) parents;
    }
}
