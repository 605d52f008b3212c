package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Protocol;
import dev.evenkeel.policy.v1.IpSetType;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * An IP set of the messages as sets of nftables: for each family one of single addresses, which is a hash table and cheap
 * to change, and one of blocks, which is there only while it has some, because nft reads all of an interval set before each
 * change of it.
 */
final class AddressSets {
    private static final String PORT_TYPE = " . inet_proto . inet_service";

    private final Table table;
    private final String id;
    private final IpSetType type;
    private final Map<Family, Blocks> blocks = new EnumMap<>(Family.class);

    /** Adds an empty set to a table. */
    AddressSets(Table table, String id, IpSetType type) {
        if (type != IpSetType.IP_SET_TYPE_NET && type != IpSetType.IP_SET_TYPE_IP_AND_PORT) {
            throw new IllegalArgumentException("IP set " + id + ": unknown type " + type);
        }
        this.table = table;
        this.id = id;
        this.type = type;
        for (Family family : Family.values()) {
            String key = family.word + "_addr" + (type == IpSetType.IP_SET_TYPE_NET ? "" : PORT_TYPE);
            table.putSet(name(id, family), new Table.Kind(false, key, false));
            blocks.put(family, new Blocks());
        }
    }

    /** Returns the name of the set of single members. */
    static String name(String id, Family family) {
        return Names.of("set", id.replace(':', '-'), family.word);
    }

    /** Returns the name of the set of blocks. */
    static String blocksName(String id, Family family) {
        return Names.of("blocks", id.replace(':', '-'), family.word);
    }

    /** Returns the families that the set has blocks of. */
    List<Family> familiesOfBlocks() {
        return blocks.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    void add(String member) {
        change(member, true);
    }

    void remove(String member) {
        change(member, false);
    }

    private void change(String member, boolean added) {
        if (type == IpSetType.IP_SET_TYPE_IP_AND_PORT) {
            port(member, added);
            return;
        }
        Cidr block = Cidr.parse(member);
        Family family = Family.of(block);
        if (Family.isSingle(block)) {
            element(name(id, family), Family.text(block), added);
            return;
        }
        Blocks ofFamily = Objects.requireNonNull(blocks.get(family));
        String name = blocksName(id, family);
        table.putSet(name, new Table.Kind(false, family.word + "_addr", true));
        Blocks.Change change = added ? ofFamily.add(block) : ofFamily.remove(block);
        change.removed().forEach(one -> family.elements(one).forEach(key -> table.removeElement(name, key)));
        change.added().forEach(one -> family.elements(one).forEach(key -> table.putElement(name, key, "")));
        if (ofFamily.isEmpty()) {
            table.removeSet(name);
        }
    }

    private void port(String member, boolean added) {
        try {
            int comma = member.lastIndexOf(',');
            int colon = member.lastIndexOf(':');
            Cidr address = Cidr.address(member.substring(0, comma));
            int protocol = Protocol.find(member.substring(comma + 1, colon))
                    .orElseThrow()
                    .number();
            int port = Integer.parseInt(member.substring(colon + 1));
            element(name(id, Family.of(address)), address.addressText() + " . " + protocol + " . " + port, added);
        } catch (IndexOutOfBoundsException | NoSuchElementException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "IP set " + id + ": \"" + member + "\" must be as \"10.0.0.1,tcp:8080\"", e);
        }
    }

    private void element(String set, String key, boolean added) {
        if (added) {
            table.putElement(set, key, "");
        } else {
            table.removeElement(set, key);
        }
    }

    /** Removes all members. */
    void clear() {
        for (Family family : Family.values()) {
            table.keys(name(id, family)).forEach(key -> table.removeElement(name(id, family), key));
            table.removeSet(blocksName(id, family));
            blocks.put(family, new Blocks());
        }
    }

    /** Removes the set from the table. */
    void delete() {
        for (Family family : Family.values()) {
            table.removeSet(name(id, family));
            table.removeSet(blocksName(id, family));
        }
    }
}
