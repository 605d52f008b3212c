package dev.evenkeel.protobuf.internal;

import build.buf.protovalidate.Validator;
import build.buf.protovalidate.ValidatorFactory;
import build.buf.protovalidate.exceptions.ValidationException;
import build.buf.validate.FieldPathElement;
import build.buf.validate.Violation;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the protovalidate rules of messages. */
final class FieldRules {
    /** Compiles the rules of a message when the first one is validated, and keeps them. */
    private final Validator validator = ValidatorFactory.newBuilder().build();

    /**
     * Returns the violations of a message, with paths in JSON names below {@code spec}.
     *
     * @throws ApiException with code 500 when the rules themselves are invalid
     */
    List<FieldError> validate(Message message) {
        try {
            return validator.validate(message).getViolations().stream()
                    .map(violation -> error(message, violation.toProto()))
                    .toList();
        } catch (ValidationException e) {
            String name = message.getDescriptorForType().getFullName();
            ApiException refusal = ApiException.of(Status.of(
                    500,
                    "InternalError",
                    "Internal error occurred: the validation rules of " + name + " cannot be evaluated: "
                            + e.getMessage()));
            refusal.initCause(e);
            throw refusal;
        }
    }

    private static FieldError error(Message message, Violation violation) {
        StringBuilder path = new StringBuilder("spec");
        Descriptor type = message.getDescriptorForType();
        for (FieldPathElement element : violation.getField().getElementsList()) {
            FieldDescriptor field = type == null ? null : type.findFieldByName(element.getFieldName());
            path.append('.').append(field == null ? element.getFieldName() : field.getJsonName());
            switch (element.getSubscriptCase()) {
                case INDEX -> path.append('[').append(element.getIndex()).append(']');
                case BOOL_KEY -> path.append('[').append(element.getBoolKey()).append(']');
                case INT_KEY -> path.append('[').append(element.getIntKey()).append(']');
                case UINT_KEY ->
                    path.append('[')
                            .append(Long.toUnsignedString(element.getUintKey()))
                            .append(']');
                case STRING_KEY ->
                    path.append('[').append(element.getStringKey()).append(']');
                case SUBSCRIPT_NOT_SET -> {}
            }
            type = below(field);
        }
        String detail = violation.getMessage();
        String rule = detail.isEmpty() ? "breaks the rule " + violation.getRuleId() : detail;
        return violation.getRuleId().equals("required")
                ? FieldError.required(path.toString(), detail)
                : new FieldError("FieldValueInvalid", path.toString(), "Invalid value: " + rule);
    }

    private static @Nullable Descriptor below(@Nullable FieldDescriptor field) {
        if (field == null || field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
            return null;
        }
        if (!field.isMapField()) {
            return field.getMessageType();
        }
        FieldDescriptor value = field.getMessageType().findFieldByName("value");
        return value.getJavaType() == FieldDescriptor.JavaType.MESSAGE ? value.getMessageType() : null;
    }
}
