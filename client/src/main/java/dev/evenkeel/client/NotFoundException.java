package dev.evenkeel.client;

/** 404: the object, its namespace or its type does not exist. */
public final class NotFoundException extends ApiException {
    NotFoundException(Status status) {
        super(status);
    }

    /** Returns whether it is the object of that kind and name that does not exist, and not its namespace or type. */
    public boolean isAbout(Kind<?> kind, String name) {
        return status().details().stream()
                .anyMatch(it -> it.name().equals(name) && it.kind().equals(kind.plural()));
    }
}
