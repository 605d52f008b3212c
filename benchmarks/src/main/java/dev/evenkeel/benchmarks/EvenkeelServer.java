package dev.evenkeel.benchmarks;

/** The Evenkeel server. */
final class EvenkeelServer {
    static final Subject.Kind KIND = new Subject.Kind() {
        @Override
        public String name() {
            return "evenkeel";
        }

        @Override
        public Subject start() {
            throw new UnsupportedOperationException("the server cannot be measured yet");
        }
    };

    private EvenkeelServer() {}
}
