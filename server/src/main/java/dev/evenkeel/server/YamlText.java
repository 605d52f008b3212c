package dev.evenkeel.server;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/**
 * Trees as YAML, as upstream's library writes it: keys sorted, text quoted where YAML 1.1 would take it for something
 * else.
 */
final class YamlText {
    private static final DumpSettings SETTINGS = DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setIndent(2)
            .setIndicatorIndent(0)
            .build();

    /** What readers of YAML 1.1 do not take for text. */
    private static final Pattern NOT_TEXT = Pattern.compile("[yYnN]|[yY]es|YES|[nN]o|NO|[tT]rue|TRUE|[fF]alse|FALSE"
            + "|[oO]n|ON|[oO]ff|OFF|~|[nN]ull|NULL|[-+]?[0-9][0-9_]*|[-+]?0[xob][0-9a-fA-F_]+"
            + "|[-+]?(\\.[0-9]+|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?"
            + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)|<<|="
            + "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"
            + "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?");

    private YamlText() {}

    static String of(Map<String, @Nullable Object> tree) {
        Representer representer = new Representer();
        return new Dump(SETTINGS, representer).dumpToString(sorted(tree));
    }

    private static @Nullable Object sorted(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> sorted = new TreeMap<>();
                map.forEach((key, item) -> sorted.put((String) key, sorted(item)));
                yield sorted;
            }
            case List<?> list -> {
                List<@Nullable Object> items = new java.util.ArrayList<>(list.size());
                list.forEach(item -> items.add(sorted(item)));
                yield items;
            }
            case null, default -> value;
        };
    }

    private static final class Representer extends StandardRepresenter {
        Representer() {
            super(SETTINGS);
        }

        @Override
        protected Node representScalar(Tag tag, String value, ScalarStyle style) {
            if (tag.equals(Tag.STR)) {
                if (value.indexOf('\n') >= 0 && value.indexOf('\t') < 0) {
                    return super.representScalar(tag, value, ScalarStyle.LITERAL);
                }
                if (value.isEmpty() || NOT_TEXT.matcher(value).matches()) {
                    return super.representScalar(tag, value, ScalarStyle.DOUBLE_QUOTED);
                }
            }
            return super.representScalar(tag, value, style);
        }
    }
}
