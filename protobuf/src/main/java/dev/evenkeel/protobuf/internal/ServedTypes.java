package dev.evenkeel.protobuf.internal;

import dev.evenkeel.engine.internal.admission.RegisteredTypes;
import java.util.List;

/** Types that do not change. */
public record ServedTypes(List<ServedType<?>> types) implements RegisteredTypes.Source {}
