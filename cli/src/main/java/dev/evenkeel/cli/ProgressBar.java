package dev.evenkeel.cli;

import java.io.PrintWriter;

/** Shows how much of a known amount of work is done: a bar on a terminal, nothing elsewhere. */
final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 40;

    private final PrintWriter out;
    private final boolean shown;
    private final String unit;
    private final long total;
    private long done;
    private long percent = -1;

    ProgressBar(PrintWriter out, boolean shown, String unit, long total) {
        this.out = out;
        this.shown = shown;
        this.unit = unit;
        this.total = total;
        add(0);
    }

    static ProgressBar of(PrintWriter out, String unit, long total) {
        return new ProgressBar(out, Terminal.isInteractive(), unit, total);
    }

    void add(long more) {
        done += more;
        long now = total == 0 ? 100 : done * 100 / total;
        if (shown && now != percent) {
            percent = now;
            int full = (int) (now * WIDTH / 100);
            out.printf(
                    "\r[%s%s] %3d%% %,d of %,d %s", "#".repeat(full), " ".repeat(WIDTH - full), now, done, total, unit);
            out.flush();
        }
    }

    @Override
    public void close() {
        if (shown) {
            out.println();
            out.flush();
        }
    }
}
