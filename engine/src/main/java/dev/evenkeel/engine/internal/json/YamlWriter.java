package dev.evenkeel.engine.internal.json;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.emitter.Emitter;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;

/** Writes trees as goyaml does: keys in natural order, text in quotes only where necessary. */
final class YamlWriter {
    private static final DumpSettings SETTINGS = DumpSettings.builder()
            .setWidth(80)
            .setIndent(2)
            .setUseUnicodeEncoding(true)
            .build();
    private static final ImplicitTuple IMPLICIT = new ImplicitTuple(true, true);

    private final StringBuilder out = new StringBuilder(1024);
    private final Emitter emitter = new Emitter(SETTINGS, new StreamDataWriter() {
        @Override
        public void write(String text) {
            out.append(text);
        }

        @Override
        public void write(String text, int offset, int length) {
            out.append(text, offset, offset + length);
        }
    });

    static String write(@Nullable Object tree) {
        YamlWriter writer = new YamlWriter();
        writer.emitter.emit(new StreamStartEvent());
        writer.emitter.emit(new DocumentStartEvent(false, Optional.empty(), Map.of()));
        writer.emit(tree);
        writer.emitter.emit(new DocumentEndEvent(false));
        writer.emitter.emit(new StreamEndEvent());
        return writer.out.toString();
    }

    private void emit(@Nullable Object tree) {
        switch (tree) {
            case null -> scalar("null", ScalarStyle.PLAIN);
            case JsonObject map -> {
                emitter.emit(new MappingStartEvent(Optional.empty(), Optional.empty(), true, FlowStyle.BLOCK));
                map.keySet().stream().sorted(NaturalOrder.INSTANCE).forEach(key -> {
                    text(key);
                    emit(map.get(key));
                });
                emitter.emit(new MappingEndEvent());
            }
            case List<?> list -> {
                emitter.emit(new SequenceStartEvent(Optional.empty(), Optional.empty(), true, FlowStyle.BLOCK));
                list.forEach(this::emit);
                emitter.emit(new SequenceEndEvent());
            }
            case String text -> text(text);
            case Double number -> scalar(Numbers.general(number), ScalarStyle.PLAIN);
            default -> scalar(tree.toString(), ScalarStyle.PLAIN);
        }
    }

    private void text(String text) {
        if (mustBeEscaped(text)) {
            scalar(text, ScalarStyle.DOUBLE_QUOTED);
        } else if (text.indexOf('\n') >= 0) {
            scalar(text, ScalarStyle.LITERAL);
        } else {
            scalar(text, YamlScalars.isPlainText(text) ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED);
        }
    }

    /** Returns true for text that readers take for the start of a document, or for a line break, and then normalise. */
    private static boolean mustBeEscaped(String text) {
        return text.chars().anyMatch(c -> "\ufeff\u0085\u2028\u2029\r".indexOf(c) >= 0);
    }

    private void scalar(String text, ScalarStyle style) {
        emitter.emit(new ScalarEvent(Optional.empty(), Optional.empty(), IMPLICIT, text, style));
    }
}
