package dev.evenkeel.server;

/** Passes a signal on to whom is told later; until then it is dropped. */
final class Relay implements Runnable {
    private volatile Runnable target = () -> {};

    void to(Runnable value) {
        target = value;
    }

    @Override
    public void run() {
        target.run();
    }
}
