package dev.evenkeel.client;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Copies the properties of one object into another of the same class. All steps are collected first and run afterwards:
 * a class that cannot be assigned is refused before anything has changed.
 */
final class Assignment {
    private final HasMetadata target;
    private final HasMetadata source;
    private final List<Runnable> steps = new ArrayList<>();

    private Assignment(HasMetadata target, HasMetadata source) {
        this.target = target;
        this.source = source;
    }

    static Assignment of(JsonMapper mapper, HasMetadata target, HasMetadata source) {
        Assignment assignment = new Assignment(target, source);
        BeanDescription type = mapper.getDeserializationConfig().introspect(mapper.constructType(target.getClass()));
        type.findProperties().forEach(assignment::move);
        AnnotatedMember others = mapper.getSerializationConfig()
                .introspect(mapper.constructType(target.getClass()))
                .findAnyGetter();
        if (others != null) {
            assignment.moveOthers(others, type.findAnySetterAccessor());
        }
        return assignment;
    }

    private void move(BeanPropertyDefinition property) {
        AnnotatedMember accessor = property.getAccessor();
        if (accessor == null) {
            return;
        }
        accessor.fixAccess(true);
        Object value = accessor.getValue(source);
        AnnotatedMember mutator = property.getNonConstructorMutator();
        if (mutator != null) {
            mutator.fixAccess(true);
            steps.add(() -> mutator.setValue(target, value));
        } else if (!Objects.equals(accessor.getValue(target), value)) {
            throw new IllegalArgumentException("cannot change " + property.getName() + " of a "
                    + target.getClass().getName() + " in place: give the class a setter for it");
        }
    }

    @SuppressWarnings("unchecked") // that is what such methods have to do with
    private void moveOthers(AnnotatedMember getter, AnnotatedMember setter) {
        getter.fixAccess(true);
        Map<String, Object> wanted = (Map<String, Object>) getter.getValue(source);
        Map<String, Object> present = (Map<String, Object>) getter.getValue(target);
        if (present != null) {
            steps.add(() -> {
                present.clear();
                present.putAll(Objects.requireNonNullElse(wanted, Map.of()));
            });
        } else if (wanted != null && setter instanceof AnnotatedMethod method) {
            steps.add(() -> wanted.forEach((name, value) -> call(method, name, value)));
        }
    }

    private void call(AnnotatedMethod setter, String name, Object value) {
        try {
            Object unused = setter.callOnWith(target, name, value);
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "cannot set " + name + " of a " + target.getClass().getName(), e);
        }
    }

    void run() {
        steps.forEach(Runnable::run);
    }
}
