package dev.evenkeel.server.internal.http;

/** Passes a signal on to whom is told later; until then it is dropped. */
public final class SettableSignal implements Runnable {
    private volatile Runnable target = () -> {};

    public void to(Runnable value) {
        target = value;
    }

    @Override
    public void run() {
        target.run();
    }
}
