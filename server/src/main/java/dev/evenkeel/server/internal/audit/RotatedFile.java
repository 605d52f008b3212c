package dev.evenkeel.server.internal.audit;

import dev.evenkeel.server.AuditRotation;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file of lines that is renamed when it is full, as kube-apiserver does: {@code audit.log} becomes {@code
 * audit-2026-01-31T12-00-00.000.log}, with the time in UTC, and a new {@code audit.log} begins. Used by one thread.
 */
final class RotatedFile implements Closeable {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss.SSS");

    private final Path file;
    private final AuditRotation rotation;
    private final InstantSource clock;
    private OutputStream out;
    private long size;

    private record Old(Path file, Instant ended) {}

    /** Opens a file, which is created if it does not exist, and appended to. */
    RotatedFile(Path file, AuditRotation rotation, InstantSource clock) throws IOException {
        this.file = file;
        this.rotation = rotation;
        this.clock = clock;
        out = open(file);
        size = Files.size(file);
    }

    private static OutputStream open(Path file) throws IOException {
        return new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND), 64 * 1024);
    }

    /** Appends a line. */
    void write(byte[] line) throws IOException {
        if (rotation.maxBytes() > 0 && size > 0 && size + line.length + 1 > rotation.maxBytes()) {
            rotate();
        }
        out.write(line);
        out.write('\n');
        size += line.length + 1L;
    }

    void flush() throws IOException {
        out.flush();
    }

    private void rotate() throws IOException {
        out.close();
        Instant now = clock.instant();
        Path old = named(now);
        while (Files.exists(old)) {
            now = now.plusMillis(1);
            old = named(now);
        }
        Files.move(file, old);
        out = open(file);
        size = 0;
        removeOld();
    }

    private Path named(Instant ended) {
        return file.resolveSibling(prefix() + TIME.format(ended.atOffset(ZoneOffset.UTC)) + ending());
    }

    private String ending() {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot);
    }

    private String prefix() {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.length() - ending().length()) + "-";
    }

    private void removeOld() throws IOException {
        List<Old> kept = old();
        kept.sort(Comparator.comparing(Old::ended).reversed());
        for (int i = 0; i < kept.size(); i++) {
            boolean tooMany = rotation.maxBackups() > 0 && i >= rotation.maxBackups();
            boolean tooOld = rotation.maxAge().isPositive()
                    && kept.get(i).ended.isBefore(clock.instant().minus(rotation.maxAge()));
            if (tooMany || tooOld) {
                Files.deleteIfExists(kept.get(i).file);
            }
        }
    }

    private List<Old> old() throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            return List.of();
        }
        List<Old> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path each : files.toList()) {
                String name = String.valueOf(each.getFileName());
                if (name.startsWith(prefix())
                        && name.endsWith(ending())
                        && name.length() >= prefix().length() + ending().length()) {
                    String time = name.substring(prefix().length(), name.length() - ending().length());
                    try {
                        found.add(new Old(each, LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC)));
                    } catch (DateTimeParseException e) {
                        // a file of something else
                    }
                }
            }
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
