package dev.evenkeel.cli;

/** A command that could not do what it was asked for; the message says why, in one line. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failure(String message) {
        super(message);
    }

    /** What to tell about any failure. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        return failure instanceof java.nio.file.NoSuchFileException ? message + ": no such file" : message;
    }
}
