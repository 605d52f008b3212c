package dev.evenkeel.load.internal.measure;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** A file of {@code /proc}. */
final class ProcFile {
    private ProcFile() {}

    /** Returns the text of a file; empty if it can't be read: the process has ended, or belongs to another user. */
    static Optional<String> read(Path file) {
        // not with a channel: one of an interrupted thread is closed, and the process would seem to have ended
        try (InputStream input = new FileInputStream(file.toFile())) {
            // names of commands may be anything: Latin-1 decodes all bytes
            return Optional.of(new String(input.readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the number in the line that begins with a name and a colon. */
    static OptionalLong number(String text, String name) {
        int at = text.startsWith(name + ":") ? 0 : text.indexOf("\n" + name + ":");
        if (at < 0) {
            return OptionalLong.empty();
        }
        int begin = text.indexOf(':', at) + 1;
        while (begin < text.length() && (text.charAt(begin) == ' ' || text.charAt(begin) == '\t')) {
            begin++;
        }
        int end = begin;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end == begin ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text, begin, end, 10));
    }
}
