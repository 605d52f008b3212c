package dev.evenkeel.grpc.internal.resource;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates JSON trees to and from {@link Struct}.
 *
 * <p>A Struct has one kind of number, a double, which holds whole numbers up to 2<sup>53</sup>. A larger one in an object is
 * shown as a text, and {@link #restore} turns the text back into the number when it is written unchanged. Numbers without
 * a fraction are whole numbers in the object.
 */
public final class Structs {
    private static final long EXACT = 1L << 53;

    /** The number of values in a Struct: each takes some hundred bytes while it is processed, and may take three in a message. */
    static final int MOST_VALUES = 50_000;

    private Structs() {}

    /** Returns an object as a Struct. */
    public static Struct struct(Map<String, ? extends @Nullable Object> tree) {
        Struct.Builder struct = Struct.newBuilder();
        tree.forEach((key, value) -> struct.putFields(key, value(value)));
        return struct.build();
    }

    private static Value value(@Nullable Object tree) {
        Value.Builder value = Value.newBuilder();
        switch (tree) {
            case null -> value.setNullValue(NullValue.NULL_VALUE);
            case String text -> value.setStringValue(text);
            case Boolean bool -> value.setBoolValue(bool);
            case Long number
            when Math.abs(number) > EXACT || number == Long.MIN_VALUE -> value.setStringValue(number.toString());
            case Number number -> value.setNumberValue(number.doubleValue());
            case Map<?, ?> map -> {
                Struct.Builder struct = Struct.newBuilder();
                map.forEach((key, member) -> struct.putFields(String.valueOf(key), value(member)));
                value.setStructValue(struct);
            }
            case List<?> list -> {
                ListValue.Builder items = ListValue.newBuilder();
                list.forEach(item -> items.addValues(value(item)));
                value.setListValue(items);
            }
            default -> throw new IllegalStateException("not a JSON value: " + tree.getClass());
        }
        return value.build();
    }

    /**
     * Returns a Struct as an object.
     *
     * @throws InvalidProtocolBufferException when a number is infinite or not a number: JSON has neither; or there are too
     *     many values
     */
    public static JsonObject tree(Struct struct) throws InvalidProtocolBufferException {
        if (values(Value.newBuilder().setStructValue(struct).build(), 0) > MOST_VALUES) {
            throw new InvalidProtocolBufferException("it has more than " + MOST_VALUES + " values");
        }
        return object(struct);
    }

    /** Returns the number of values, as far as they are not too many, in addition to those found before. */
    private static int values(Value value, int before) {
        int found = before + 1;
        for (Value field : value.getStructValue().getFieldsMap().values()) {
            found = found > MOST_VALUES ? found : values(field, found);
        }
        for (Value item : value.getListValue().getValuesList()) {
            found = found > MOST_VALUES ? found : values(item, found);
        }
        return found;
    }

    private static JsonObject object(Struct struct) throws InvalidProtocolBufferException {
        JsonObject tree = new JsonObject(struct.getFieldsCount());
        for (Map.Entry<String, Value> field : struct.getFieldsMap().entrySet()) {
            tree.put(field.getKey(), tree(field.getValue()));
        }
        return tree;
    }

    private static @Nullable Object tree(Value value) throws InvalidProtocolBufferException {
        return switch (value.getKindCase()) {
            case STRING_VALUE -> value.getStringValue();
            case BOOL_VALUE -> value.getBoolValue();
            case NUMBER_VALUE -> number(value.getNumberValue());
            case STRUCT_VALUE -> object(value.getStructValue());
            case LIST_VALUE -> {
                List<@Nullable Object> items = new ArrayList<>();
                for (Value item : value.getListValue().getValuesList()) {
                    items.add(tree(item));
                }
                yield items;
            }
            case NULL_VALUE, KIND_NOT_SET -> null;
        };
    }

    private static Object number(double number) throws InvalidProtocolBufferException {
        if (!Double.isFinite(number)) {
            throw new InvalidProtocolBufferException("a number is " + number);
        }
        return number == Math.rint(number) && Math.abs(number) <= EXACT ? (Object) (long) number : (Object) number;
    }

    /**
     * Replaces texts that stand for large whole numbers by the numbers, where the present object has them.
     *
     * @return the wanted tree, or the number in place of it
     */
    public static @Nullable Object restore(@Nullable Object wanted, @Nullable Object present) {
        if (wanted instanceof String text && present instanceof Long number && text.equals(number.toString())) {
            return number;
        }
        if (wanted instanceof JsonObject object && present instanceof JsonObject old) {
            object.replaceAll((key, value) -> restore(value, old.get(key)));
        } else if (wanted instanceof List<?> && present instanceof List<?> old) {
            @SuppressWarnings("unchecked")
            List<@Nullable Object> list = (List<@Nullable Object>) wanted;
            for (int i = 0; i < Math.min(list.size(), old.size()); i++) {
                list.set(i, restore(list.get(i), old.get(i)));
            }
        }
        return wanted;
    }
}
