package dev.evenkeel.policy.internal.model;

/** A member of an IP set; {@code toString} is its text in messages. */
public sealed interface SetMember permits Cidr, AddressPort {}
