package dev.evenkeel.store.etcd;

/**
 * A user of etcd.
 *
 * @param user name
 * @param password is not part of the text of this record
 */
public record EtcdCredentials(String user, String password) {
    @Override
    public String toString() {
        return "EtcdCredentials[user=" + user + "]";
    }
}
