package dev.evenkeel.access.internal;

import dev.evenkeel.engine.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of static tokens in the format of kube-apiserver: lines of {@code token,user,uid,"group1,group2"}. The groups may
 * be left out; empty lines, and lines that begin with {@code #}, are ignored.
 */
public final class TokenFile {
    private TokenFile() {}

    /**
     * Reads a file: users by token.
     *
     * @throws IllegalArgumentException when a line is malformed; the message names the line and never contains a token
     */
    public static Map<String, User> read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the token file " + file + ": " + e.getMessage(), e);
        }
        Map<String, User> tokens = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            List<String> cells = cells(line);
            String where = file + ", line " + (i + 1) + ": ";
            if (cells.size() < 3) {
                throw new IllegalArgumentException(where + "must be token,user,uid and optionally groups");
            }
            if (cells.get(0).isEmpty() || cells.get(1).isEmpty()) {
                throw new IllegalArgumentException(where + "the token and the user must not be empty");
            }
            List<String> groups = cells.size() < 4 || cells.get(3).isEmpty()
                    ? List.of()
                    : List.of(cells.get(3).strip().split("\\s*,\\s*"));
            if (tokens.put(cells.get(0), new User(cells.get(1), cells.get(2), groups)) != null) {
                throw new IllegalArgumentException(where + "the token occurs twice");
            }
        }
        return tokens;
    }

    /** Splits a line of comma-separated values; a cell in quotes may contain commas, and quotes that are doubled. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString().strip());
        return cells;
    }
}
