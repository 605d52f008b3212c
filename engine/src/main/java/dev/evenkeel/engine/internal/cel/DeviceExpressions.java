package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compiles selectors of devices: conditions about {@code device}, whose attributes and capacities may be of any type. */
public final class DeviceExpressions {
    /** The estimated cost that a selector may have. */
    public static final long MOST_COST = 1_000_000;

    private static final Memo<Selector> KEPT = new Memo<>();

    private static final int NAME = 63;
    private static final int ID = 32;
    private static final int ENTRIES = 32;
    private static final int VALUE = 64;

    private DeviceExpressions() {}

    /**
     * An expression.
     *
     * @param error why it is not a selector of devices; empty when it is
     * @param cost the estimated one, at most
     */
    public record Selector(String error, long cost) {}

    /** Compiles an expression. */
    public static Selector of(String expression) {
        return KEPT.get(expression, () -> compile(expression));
    }

    private static Selector compile(String expression) {
        CelType byDomain = MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, SimpleType.DYN));
        ImmutableMap<String, CelType> fields = ImmutableMap.of(
                "driver",
                SimpleType.STRING,
                "attributes",
                byDomain,
                "capacity",
                byDomain,
                "allowMultipleAllocations",
                SimpleType.BOOL);
        String name = "DRADevice";
        StructType device = StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field)));
        CelValidationResult result = Language.binding(
                        Map.of("device", StructTypeReference.create(name)), Map.of(name, device))
                .compile(expression);
        String error = Language.error(result);
        if (!error.isEmpty()) {
            return new Selector("compilation failed: " + error, 0);
        }
        CelAbstractSyntaxTree ast = Language.ast(result);
        CelType type = ast.getResultType();
        return type.kind() == CelKind.BOOL || type.kind() == CelKind.DYN
                ? new Selector("", StaticCost.most(ast, DeviceExpressions::size))
                : new Selector("must evaluate to bool or the unknown type, not " + CelTypes.format(type), 0);
    }

    /** Returns the size of a part of a device: names, and the values of attributes, are of limited length. */
    private static @Nullable CostRange size(List<String> path) {
        if (path.size() == 1) {
            return upTo(0);
        }
        String field = path.get(1);
        boolean attributes = field.equals("attributes");
        if (!attributes && !field.equals("capacity")) {
            return path.size() > 2 ? null : upTo(field.equals("driver") ? NAME : 1);
        }
        return switch (path.size()) {
            case 2 -> upTo(ENTRIES);
            case 3 -> inner(path.get(2), NAME, ENTRIES);
            case 4 -> {
                CostRange size = isElement(path.get(2)) ? inner(path.get(3), ID, attributes ? VALUE : 0) : null;
                yield size == null && attributes && isElement(path.get(2)) ? upTo(VALUE) : size;
            }
            default -> null;
        };
    }

    private static @Nullable CostRange inner(String step, int key, int value) {
        return step.equals("@keys") ? upTo(key) : isElement(step) ? upTo(value) : null;
    }

    private static boolean isElement(String step) {
        return step.equals("@values") || step.equals("@items");
    }

    private static CostRange upTo(long most) {
        return new CostRange(0, most);
    }
}
