package dev.evenkeel.grpc.internal.call;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.Status;

/**
 * Bounds the size of errors. An error is sent in trailers, of which clients accept 8 KiB by default; a longer one would reach
 * them as a failure of the connection. What a message repeats of a request can be of any length.
 */
final class ErrorSize {
    private static final int LARGEST = 2500;
    private static final int MESSAGE = 400;
    private static final int TEXT = 200;
    private static final String CUT = "...";

    private ErrorSize() {}

    /** Returns a status as it is if it is small, and else with a shorter message and the details that fit. */
    static Status bounded(Status status) {
        if (status.getSerializedSize() <= LARGEST) {
            return status;
        }
        Status.Builder bounded =
                Status.newBuilder().setCode(status.getCode()).setMessage(cut(status.getMessage(), MESSAGE));
        int size = bounded.build().getSerializedSize();
        for (Any detail : status.getDetailsList()) {
            Any shown = detail.is(BadRequest.class) ? shortened(detail, LARGEST - size) : detail;
            if (size + shown.getSerializedSize() <= LARGEST) {
                bounded.addDetails(shown);
                size += shown.getSerializedSize();
            }
        }
        return bounded.build();
    }

    /** Returns the first violations, as many as fit. */
    private static Any shortened(Any detail, int room) {
        BadRequest.Builder shown = BadRequest.newBuilder();
        int size = 100; // the type and the lengths
        try {
            for (BadRequest.FieldViolation violation :
                    detail.unpack(BadRequest.class).getFieldViolationsList()) {
                BadRequest.FieldViolation cut = violation.toBuilder()
                        .setField(cut(violation.getField(), TEXT))
                        .setDescription(cut(violation.getDescription(), TEXT))
                        .build();
                size += cut.getSerializedSize() + 4;
                if (size > room) {
                    break;
                }
                shown.addFieldViolations(cut);
            }
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(e);
        }
        return Any.pack(shown.build());
    }

    private static String cut(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return text.substring(0, end) + CUT;
    }
}
