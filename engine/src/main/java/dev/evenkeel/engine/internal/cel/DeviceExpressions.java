package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.Map;
import java.util.Optional;

/** Compiles selectors of devices: conditions about {@code device}, whose attributes and capacities may be of any type. */
public final class DeviceExpressions {
    private static final Memo<String> ERRORS = new Memo<>();

    private DeviceExpressions() {}

    /** Returns why an expression is not a selector of devices; empty when it is. */
    public static String error(String expression) {
        return ERRORS.get(expression, () -> compile(expression));
    }

    private static String compile(String expression) {
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
        CelValidationResult result = Language.compiler(
                        Map.of("device", StructTypeReference.create(name)), Map.of(name, device))
                .compile(expression);
        String error = Language.error(result);
        if (!error.isEmpty()) {
            return "compilation failed: " + error;
        }
        CelType type = Language.ast(result).getResultType();
        return type.kind() == CelKind.BOOL || type.kind() == CelKind.DYN
                ? ""
                : "must evaluate to bool or the unknown type, not " + CelTypes.format(type);
    }
}
