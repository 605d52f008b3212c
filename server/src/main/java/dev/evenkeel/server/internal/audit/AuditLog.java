package dev.evenkeel.server.internal.audit;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.server.AuditRotation;
import dev.evenkeel.server.internal.audit.AuditPolicy.Level;
import dev.evenkeel.server.internal.audit.AuditPolicy.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events of {@code audit.k8s.io/v1} to a file, one JSON object a line.
 *
 * <p>Events are written by a thread of their own, in the order in which they were queued. The queue is bounded by the
 * size of its events: when it is full, requests wait, so that no event is lost. A file that cannot be written to is
 * reported in the log of the server, once for each failure, and requests continue.
 *
 * <p>The file is renamed when it is full, if that is wished; else it is only appended to, so that a program that rotates
 * logs may copy and truncate it.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final int MAX_QUEUED = 16 * 1024 * 1024;

    private final AuditPolicy policy;
    private final RotatedFile out;
    private final AuditMetrics metrics;
    private final InstantSource clock;
    private final Thread writer;
    private final Queue<byte[]> queue = new ArrayDeque<>();
    private int queued;
    private boolean closed;

    private AuditLog(AuditPolicy policy, RotatedFile out, InstantSource clock, AuditMetrics metrics) {
        this.policy = policy;
        this.out = out;
        this.metrics = metrics;
        this.clock = clock;
        writer = Thread.ofPlatform().daemon().name("evenkeel-audit").start(this::run);
    }

    /**
     * Opens a log.
     *
     * @param policyFile a Policy of {@code audit.k8s.io/v1}
     * @param file is created if it does not exist, and appended to
     * @throws IllegalArgumentException when the policy is not valid
     * @throws UncheckedIOException when a file cannot be opened
     */
    public static AuditLog open(
            Path policyFile, Path file, AuditRotation rotation, InstantSource clock, AuditMetrics metrics) {
        try {
            AuditPolicy policy = AuditPolicy.parse(Files.readString(policyFile));
            return new AuditLog(policy, new RotatedFile(file, rotation, clock), clock, metrics);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the audit policy " + policyFile + " is invalid: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the audit log: " + e, e);
        }
    }

    /** Begins the event of a request that has arrived. */
    public AuditEvent begin(Attributes attributes, AuditEvent.Origin origin) {
        AuditEvent event = event(attributes, origin);
        event.received();
        return event;
    }

    /** Records a request whose sender could not be authenticated. */
    public void unauthenticated(Attributes attributes, AuditEvent.Origin origin, String message) {
        event(attributes, origin).unauthenticated(401, message);
    }

    private AuditEvent event(Attributes attributes, AuditEvent.Origin origin) {
        Recording recording = policy.of(attributes);
        metrics.auditLevel(recording.level().text);
        return recording.level() == Level.NONE
                ? AuditEvent.NONE
                : new AuditEvent(this, recording, attributes, origin, now());
    }

    Instant now() {
        return clock.instant();
    }

    /** Queues an event. */
    void write(JsonObject event) {
        byte[] line = Json.write(event);
        metrics.auditEvent();
        synchronized (queue) {
            boolean interrupted = false;
            while (queued > 0 && queued + line.length > MAX_QUEUED && !closed) {
                try {
                    queue.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (!closed) {
                queue.add(line);
                queued += line.length;
                queue.notifyAll();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        for (List<byte[]> lines = take(); !lines.isEmpty(); lines = take()) {
            int written = 0;
            try {
                for (byte[] line : lines) {
                    out.write(line);
                    written++;
                }
                out.flush();
            } catch (IOException e) {
                metrics.auditFailed(Math.max(1, lines.size() - written));
                LOG.error("cannot write to the audit log", e);
            }
        }
    }

    /** Returns the queued events, waiting for the first; none at the end. */
    private List<byte[]> take() {
        synchronized (queue) {
            while (queue.isEmpty() && !closed) {
                try {
                    queue.wait();
                } catch (InterruptedException e) {
                    return List.of();
                }
            }
            List<byte[]> lines = List.copyOf(queue);
            queue.clear();
            queued = 0;
            queue.notifyAll();
            return lines;
        }
    }

    /** Writes what is queued, and ends. */
    @Override
    public void close() {
        synchronized (queue) {
            closed = true;
            queue.notifyAll();
        }
        try {
            writer.join();
            out.close();
        } catch (IOException e) {
            LOG.error("cannot close the audit log", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
