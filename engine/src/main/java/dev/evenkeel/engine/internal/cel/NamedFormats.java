package dev.evenkeel.engine.internal.cel;

import dev.evenkeel.engine.internal.schema.Formats;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The function {@code format.named("dns1123Label")} and the validation of texts by such a format. */
final class NamedFormats {
    private static final Map<String, Function<String, List<String>>> FORMATS = new TreeMap<>(Map.ofEntries(
            Map.entry("dns1123Label", Names::label),
            Map.entry("dns1123Subdomain", Names::subdomain),
            Map.entry("dns1035Label", Names::label1035),
            Map.entry("dns1123LabelPrefix", text -> Names.label(masked(text))),
            Map.entry("dns1123SubdomainPrefix", text -> Names.subdomain(masked(text))),
            Map.entry("dns1035LabelPrefix", text -> Names.label1035(masked(text))),
            Map.entry("qualifiedName", Names::qualified),
            Map.entry("labelValue", Names::labelValue),
            Map.entry("uri", Urls::errors),
            Map.entry("uuid", check("uuid", "does not match the UUID format")),
            Map.entry("byte", check("byte", "invalid base64")),
            Map.entry("date", check("date", "invalid date")),
            Map.entry("datetime", check("datetime", "invalid datetime"))));

    static final List<String> NAMES = List.copyOf(FORMATS.keySet());

    private NamedFormats() {}

    record NamedFormat(String name) {
        Optional<Object> wrong(String text) {
            List<String> wrong = Objects.requireNonNull(FORMATS.get(name)).apply(text);
            return wrong.isEmpty() ? Optional.empty() : Optional.of(ListValue.of(List.copyOf(wrong)));
        }
    }

    static void addTo(Library library) {
        library.add(
                "format.named",
                String.class,
                name -> Optional.of(name).filter(FORMATS::containsKey).map(NamedFormat::new));
        NAMES.forEach(name -> library.add("format." + name, unused -> new NamedFormat(name)));
        library.add("validate", NamedFormat.class, String.class, NamedFormat::wrong);
    }

    private static Function<String, List<String>> check(String format, String message) {
        return text -> Formats.matches(format, text) ? List.of() : List.of(message);
    }

    /** Returns the prefix with a valid end in place of a trailing dash. */
    private static String masked(String prefix) {
        return prefix.length() > 1 && prefix.endsWith("-") ? prefix.substring(0, prefix.length() - 2) + "a" : prefix;
    }
}
