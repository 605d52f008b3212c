package dev.evenkeel.server.internal.http;

/** Forwards signals to a receiver that is set later; until then they are dropped. */
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
