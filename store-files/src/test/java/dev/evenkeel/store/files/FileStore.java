package dev.evenkeel.store.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;

import dev.evenkeel.engine.spi.StoreException;
import dev.evenkeel.engine.store.DurableStore;
import dev.evenkeel.engine.store.MemoryStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * A store in a plain file, for few objects: each commit writes a new file, which replaces the old one when it is durable;
 * then the commit arrives in memory, where reads and watches are answered. Opened again, history begins at the revision.
 */
final class FileStore extends DurableStore {
    private final Path file;
    private final Codec codec;

    FileStore(Path file, Context context) {
        this(file, context, Files.exists(file) ? read(file) : List.of("1"));
    }

    private FileStore(Path file, Context context, List<String> lines) {
        super(
                MemoryStore.Window.DEFAULT,
                context,
                Long.parseLong(lines.getFirst()),
                lines.stream().skip(1).map(line -> entry(line, context.codec())).toList());
        this.file = file;
        codec = context.codec();
    }

    @Override
    public synchronized Outcome commit(List<Change> changes, List<Condition> conditions) {
        requireOpen();
        Snapshot present = snapshot();
        Optional<Conflict> conflict = present.conflict(changes, conditions);
        if (conflict.isPresent()) {
            return conflict.get();
        }
        long revision = present.revision() + 1;
        TreeMap<Key, String> next = new TreeMap<>();
        present.collections().forEach(c -> present.range(c, "", null, e -> next.put(e.key(), line(e)) == null));
        List<Change> applied = new ArrayList<>();
        for (Change change : changes) {
            if (change.value() != null) {
                String line = line(new Entry(change.key(), revision, change.value()));
                next.put(change.key(), line);
                applied.add(new Change(change.key(), 0, entry(line, codec).value())); // as if opened again
            } else if (next.remove(change.key()) != null) {
                applied.add(change);
            }
        }
        if (applied.isEmpty()) {
            return new Committed(present.revision());
        }
        write(revision, next.values());
        publish(revision, applied);
        return new Committed(revision);
    }

    @Override
    public synchronized void close() { // after the commit under way
        super.close();
    }

    private static String line(Entry entry) {
        String value = new String(entry.value().bytes(), UTF_8);
        Key key = entry.key();
        return String.join("\t", key.collection(), key.namespace(), key.name(), "" + entry.revision(), value);
    }

    private static Entry entry(String line, Codec codec) {
        String[] fields = line.split("\t", 5);
        Key key = new Key(fields[0], fields[1], fields[2]);
        return new Entry(key, Long.parseLong(fields[3]), codec.decode(key, fields[4].getBytes(UTF_8)));
    }

    private void write(long revision, Collection<String> entries) {
        List<String> lines = new ArrayList<>(entries);
        lines.addFirst(Long.toString(revision));
        lines.addLast(checksum(lines));
        try (FileChannel directory = FileChannel.open(file.getParent())) {
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.write(next, lines, CREATE, TRUNCATE_EXISTING, SYNC);
            Files.move(next, file, ATOMIC_MOVE);
            directory.force(true);
        } catch (IOException e) {
            throw new StoreException("cannot write " + file, e);
        }
    }

    private static List<String> read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            if (lines.isEmpty() || !lines.removeLast().equals(checksum(lines))) {
                throw new StoreException(file + " is damaged: restore it from a backup", null);
            }
            return lines;
        } catch (IOException e) {
            throw new StoreException("cannot read " + file, e);
        }
    }

    private static String checksum(List<String> lines) {
        CRC32 checksum = new CRC32();
        lines.forEach(line -> checksum.update((line + "\n").getBytes(UTF_8)));
        return Long.toHexString(checksum.getValue());
    }
}
