package dev.evenkeel.policy.internal.nftables;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table as nft lists it, compared with what it should be: the chains with the number of their rules, and the sets with
 * their elements. The text of rules is not compared, since it depends on the version of nft; of blocks, only the number is.
 */
final class Listing {
    private final Map<String, Integer> chains = new TreeMap<>();
    private final Map<String, Map<String, String>> sets = new TreeMap<>();

    private Listing() {}

    /** Reads a listing. */
    static Listing parse(String text) {
        Listing listing = new Listing();
        String chain = "";
        String set = "";
        StringBuilder elements = new StringBuilder();
        boolean inElements = false;
        for (String raw : text.lines().toList()) {
            String line = raw.strip();
            if (inElements || line.startsWith("elements = {")) {
                elements.append(line.startsWith("elements = {") ? line.substring("elements = {".length()) : line);
                elements.append(' ');
                inElements = !line.endsWith("}");
                if (!inElements) {
                    listing.sets.put(set, elements(elements.substring(0, elements.lastIndexOf("}"))));
                    elements.setLength(0);
                }
            } else if (raw.startsWith("\tchain ")) {
                chain = word(line);
                listing.chains.put(chain, 0);
            } else if (raw.startsWith("\tset ") || raw.startsWith("\tmap ")) {
                set = word(line);
                listing.sets.put(set, Map.of());
            } else if (raw.equals("\t}")) {
                chain = "";
            } else if (!chain.isEmpty() && !line.isEmpty() && !line.startsWith("type ")) {
                listing.chains.merge(chain, 1, Integer::sum);
            }
        }
        return listing;
    }

    /** Returns the second word. */
    private static String word(String line) {
        return line.split(" ", -1)[1];
    }

    private static Map<String, String> elements(String text) {
        Map<String, String> elements = new HashMap<>();
        Arrays.stream(text.split(",", -1)).map(String::strip).forEach(element -> {
            int colon = element.indexOf(" : ");
            elements.put(
                    colon < 0 ? element : element.substring(0, colon), colon < 0 ? "" : element.substring(colon + 3));
        });
        return elements;
    }

    /** Returns the differences to the wanted contents, a line for each; none if it has them. */
    List<String> differences(Table wanted) {
        List<String> differences = new ArrayList<>();
        compare("chain", wanted.chainSizes(), chains, differences);
        Map<String, Map<String, String>> wantedSets = wanted.elements();
        Map<String, Object> expected = new TreeMap<>();
        Map<String, Object> actual = new TreeMap<>();
        wantedSets.forEach((set, elements) -> expected.put(set, wanted.isInterval(set) ? elements.size() : elements));
        sets.forEach((set, elements) -> actual.put(set, wanted.isInterval(set) ? elements.size() : elements));
        compare("set", expected, actual, differences);
        return differences;
    }

    private static void compare(String kind, Map<String, ?> wanted, Map<String, ?> actual, List<String> differences) {
        wanted.forEach((name, content) -> {
            if (!actual.containsKey(name)) {
                differences.add(kind + " " + name + " is missing");
            } else if (!content.equals(actual.get(name))) {
                differences.add(kind + " " + name + " has been changed");
            }
        });
        actual.keySet().stream()
                .filter(name -> !wanted.containsKey(name))
                .forEach(name -> differences.add(kind + " " + name + " has been added"));
    }
}
