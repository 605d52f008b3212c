package dev.evenkeel.controller.simulation;

import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Is told what reconcilers do and see, and knows what must not be:
 *
 * <ol>
 *   <li>In a process no key of a controller runs twice at once.
 *   <li>When it runs in two processes, for one of them has stood still and was taken for dead, that one writes nothing
 *       any more: the server refuses.
 *   <li>What a process has written, and was told so, it does not read older.
 * </ol>
 *
 * <p>Of a process that has died nothing is known: what it did is in the server, and it reads no more.
 */
public final class Monitor {
    private static final String ONCE = "no key runs twice at once";
    private static final String OWN_WRITES = "no own write is lost";

    private final Simulation simulation;
    private final Map<Run, Running> running = new LinkedHashMap<>();
    private final Map<Own, Write> writes = new LinkedHashMap<>();

    private record Run(String controller, Object key) {}

    /** Somebody who runs a key. */
    static final class Running {
        final Incarnation incarnation;
        final String what;
        boolean superseded;

        Running(Incarnation incarnation, String what) {
            this.incarnation = incarnation;
            this.what = what;
        }
    }

    private record Own(Incarnation incarnation, String kind, ObjectKey key) {}

    private record Write(Kind<?> kind, String uid, long version, boolean deleted) {}

    Monitor(Simulation simulation) {
        this.simulation = simulation;
    }

    /** The reconciliation of a key begins, in the process and task that is running. */
    public void enter(String controller, Object key) {
        Frame frame = simulation.frame();
        if (frame == null || frame.incarnation().dead()) {
            return;
        }
        Run run = new Run(controller, key);
        String what = controller + " " + key;
        Running before = running.get(run);
        Running next = new Running(frame.incarnation(), what);
        simulation.trace(frame.incarnation().toString(), "reconciles " + what);
        if (before != null) {
            if (before.incarnation.process == frame.incarnation().process) {
                simulation.violated(ONCE, what + " begins in " + frame.incarnation() + " while it runs there already");
            } else {
                simulation.trace(frame.incarnation().toString(), what + " still runs in " + before.incarnation);
                before.superseded = true;
            }
        }
        running.put(run, next);
        frame.entered().add(next);
    }

    /** The reconciliation of a key ended. */
    public void exit(String controller, Object key) {
        Frame frame = simulation.frame();
        if (frame == null) {
            return;
        }
        Run run = new Run(controller, key);
        if (!frame.entered().isEmpty()) {
            Running ended = frame.entered().removeLast();
            running.remove(run, ended);
        }
    }

    /** The running process reads an object from a cache; empty when it sees none. */
    public <T extends HasMetadata> void read(Kind<T> kind, ObjectKey key, Optional<T> seen) {
        Frame frame = simulation.frame();
        if (frame == null || frame.incarnation().dead()) {
            return;
        }
        Write own = writes.get(new Own(frame.incarnation(), kind.id(), key));
        if (own == null) {
            return;
        }
        String who = frame.incarnation() + " reads " + kind.id() + " " + key;
        if (seen.isEmpty()) {
            if (!own.deleted() && present(kind, key).equals(Optional.of(own.uid()))) {
                simulation.violated(OWN_WRITES, who + " as not there, but it wrote version " + own.version());
            }
            return;
        }
        T object = seen.get();
        boolean same = own.uid().equals(object.getMetadata().getUid());
        long version = version(object);
        if (own.deleted() ? same : version < own.version()) {
            simulation.violated(
                    OWN_WRITES,
                    who + " at version " + version + ", but it "
                            + (own.deleted() ? "deleted it" : "wrote version " + own.version()));
        }
    }

    private Optional<String> present(Kind<?> kind, ObjectKey key) {
        return simulation
                .server()
                .find(kind, key)
                .map(object -> object.getMetadata().getUid());
    }

    private static long version(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }

    /** A write came through to the server. */
    void committed(Incarnation incarnation, String what) {
        Frame frame = simulation.frame();
        if (frame == null) {
            return;
        }
        for (Running entry : frame.entered()) {
            if (entry.superseded) {
                simulation.violated(
                        ONCE, incarnation + " wrote (" + what + ") for " + entry.what + ", which runs elsewhere since");
            }
        }
    }

    /** A process was told that it wrote this. */
    void wrote(Incarnation incarnation, Kind<?> kind, HasMetadata object) {
        @Nullable String uid = object.getMetadata().getUid();
        if (!incarnation.dead() && uid != null) {
            writes.merge(
                    new Own(incarnation, kind.id(), ObjectKey.of(object)),
                    new Write(kind, uid, version(object), false),
                    // answers may come in another order than the writes were done in
                    (a, b) -> a.version() > b.version() ? a : b);
        }
    }

    /** A process was told that it deleted this. */
    void deleted(Incarnation incarnation, Kind<?> kind, ObjectKey key, Deletion<?> deletion) {
        if (incarnation.dead()) {
            return;
        }
        Own own = new Own(incarnation, kind.id(), key);
        Optional<? extends HasMetadata> remaining = deletion.remaining();
        if (remaining.isPresent()) {
            wrote(incarnation, kind, remaining.get());
        } else {
            Write before = writes.get(own);
            if (before == null || before.uid().equals(deletion.uid())) {
                writes.put(own, new Write(kind, deletion.uid(), 0, true));
            }
        }
    }

    /** A process is not there any more. */
    void died(Incarnation incarnation) {
        running.values().removeIf(entry -> entry.incarnation == incarnation);
        writes.keySet().removeIf(own -> own.incarnation() == incarnation);
    }
}
