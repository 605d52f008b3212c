package dev.evenkeel.cli;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Thrown when a command fails; the message gives the reason in one line. */
final class Failure extends RuntimeException {
    Failure(String message) {
        super(message);
    }

    static void unless(boolean holds, String message) {
        if (!holds) {
            throw new Failure(message);
        }
    }

    /** Returns the message for any failure. */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        return switch (failure) {
            case NoSuchFileException _ -> message + ": no such file";
            case FileAlreadyExistsException _ -> message + " exists: choose another file";
            default -> message;
        };
    }
}
