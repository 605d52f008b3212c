package dev.evenkeel.grpc.internal.call;

import com.google.rpc.BadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the wrong fields of a request, so that one answer names all of them. */
public final class Violations {
    private final List<BadRequest.FieldViolation> found = new ArrayList<>(0);

    /** Adds a field that is absent. */
    public void required(String field) {
        add(field, field + " is required");
    }

    /** Adds a field with a wrong value. */
    public void invalid(String field, String why) {
        add(field, field + " invalid: " + why);
    }

    /** Adds a field with a message that names it. */
    public void add(String field, String message) {
        found.add(Errors.violation(field, message));
    }

    /** Returns how many were found so far. */
    public int size() {
        return found.size();
    }

    /** Returns true if nothing was found so far. */
    public boolean none() {
        return found.isEmpty();
    }

    /**
     * Refuses the request if anything was found.
     *
     * @throws CallException with code INVALID_ARGUMENT
     */
    public void check() {
        if (!found.isEmpty()) {
            throw Errors.invalid(found);
        }
    }

    /**
     * Refuses the request if anything was found; otherwise returns a value that is null only in that case.
     *
     * @throws CallException with code INVALID_ARGUMENT
     */
    public <T> T require(@Nullable T value) {
        check();
        return Objects.requireNonNull(value, "a value without violations");
    }
}
