package dev.evenkeel.load;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Objects that differ in their placeholders: {@code ${index}}, {@code ${namespace}} and {@code ${revision}} in names, keys
 * and texts. A text that is a placeholder of a number alone becomes a number.
 *
 * @param kind the kind
 * @param count the number of objects; of a kind in namespaces, in each namespace
 * @param name the name of an object
 * @param tree the content of an object, without its kind, name and namespace
 */
public record Template(Kind<Encoded> kind, int count, String name, Map<String, ?> tree) {
    public Template {
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative: " + count);
        }
    }

    /** Returns a template of another number of objects. */
    public Template count(int newCount) {
        return new Template(kind, newCount, name, tree);
    }

    /** Returns an object. */
    public LoadObject object(String namespace, long index) {
        return LoadObject.of(kind, key(namespace, index), content(namespace, index, 0));
    }

    /** Returns the key of an object. */
    public ObjectKey key(String namespace, long index) {
        String inNamespace = kind.namespaced() ? namespace : "";
        return ObjectKey.of(inNamespace, String.valueOf(replaced(name, namespace, index, 0)));
    }

    /** Returns the content of a revision of an object. */
    @SuppressWarnings("unchecked") // of a map
    public Map<String, Object> content(String namespace, long index, long revision) {
        return (Map<String, Object>) replaced(tree, namespace, index, revision);
    }

    /** Returns a text of a plan with its placeholders replaced. */
    static Object replaced(Object node, String namespace, long index, long revision) {
        return switch (node) {
            case String text when text.equals("${index}") -> index;
            case String text when text.equals("${revision}") -> revision;
            case String text ->
                text.replace("${index}", Long.toString(index))
                        .replace("${revision}", Long.toString(revision))
                        .replace("${namespace}", namespace);
            case Map<?, ?> map -> {
                Map<String, Object> result = new LinkedHashMap<>();
                map.forEach((key, value) -> result.put(
                        String.valueOf(replaced(String.valueOf(key), namespace, index, revision)),
                        replaced(value, namespace, index, revision)));
                yield result;
            }
            case List<?> list ->
                list.stream()
                        .map(one -> replaced(one, namespace, index, revision))
                        .toList();
            default -> node;
        };
    }
}
