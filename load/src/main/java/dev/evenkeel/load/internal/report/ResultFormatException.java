package dev.evenkeel.load.internal.report;

/** A file that is not a result; the message names the file and the field. */
public final class ResultFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    ResultFormatException(String message) {
        super(message);
    }
}
