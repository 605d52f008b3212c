package dev.evenkeel.load.internal.measure;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;

/**
 * A running recording of Java Flight Recorder in another JVM; closing it discards the events.
 *
 * <p>Its bean is called by the names of the operations, so neither JVM needs the classes of the other. The events are
 * transferred through the connection: the other JVM may see other files, or may not write where this one may.
 */
public final class JvmRecording implements AutoCloseable {
    private final long pid;
    private final MBeanServerConnection beans;
    private final ObjectName recorder;
    private final long id;
    private boolean closed;

    private JvmRecording(long pid, MBeanServerConnection beans, ObjectName recorder, long id) {
        this.pid = pid;
        this.beans = beans;
        this.recorder = recorder;
        this.id = id;
    }

    static JvmRecording start(long pid, MBeanServerConnection beans) throws IOException, JMException {
        ObjectName recorder = new ObjectName("jdk.management.jfr:type=FlightRecorder");
        long id = (Long) beans.invoke(recorder, "newRecording", new Object[0], new String[0]);
        JvmRecording recording = new JvmRecording(pid, beans, recorder, id);
        try {
            recording.invoke("setPredefinedConfiguration", "profile", String.class.getName());
            recording.invoke("startRecording");
        } catch (JMException | RuntimeException e) {
            recording.close();
            throw e;
        }
        return recording;
    }

    private Object invoke(String operation) throws IOException, JMException {
        return beans.invoke(recorder, operation, new Object[] {id}, new String[] {"long"});
    }

    private Object invoke(String operation, Object argument, String type) throws IOException, JMException {
        return beans.invoke(recorder, operation, new Object[] {id, argument}, new String[] {"long", type});
    }

    /** Ends the recording, and writes its events to a file, replacing it. */
    public void stop(Path file) throws IOException {
        try (this;
                OutputStream output = Files.newOutputStream(file)) {
            invoke("stopRecording");
            long stream = (Long) beans.invoke(
                    recorder, "openStream", new Object[] {id, null}, new String[] {"long", TabularData.class.getName()
                    });
            while (beans.invoke(recorder, "readStream", new Object[] {stream}, new String[] {"long"})
                    instanceof byte[] events) {
                output.write(events);
            }
            beans.invoke(recorder, "closeStream", new Object[] {stream}, new String[] {"long"});
        } catch (JMException e) {
            throw new IOException("JVM " + pid + ": the recording can't be read", e);
        }
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            Object unused = invoke("closeRecording");
        } catch (JMException e) {
            throw new IOException("JVM " + pid + ": the recording can't be closed", e);
        }
    }
}
