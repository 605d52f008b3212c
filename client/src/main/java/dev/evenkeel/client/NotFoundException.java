package dev.evenkeel.client;

/** 404: the object, its namespace or its type does not exist. */
public final class NotFoundException extends ApiException {
    NotFoundException(Status status) {
        super(status);
    }

    /** Returns whether it is the object of that kind and name that does not exist, and not its namespace or type. */
    public boolean isAbout(Kind<?> kind, String name) {
        return status().details()
                .filter(details -> details.name().equals(name) && details.kind().equals(kind.plural()))
                .isPresent();
    }
}
