package dev.evenkeel.junit.josdk;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A test of what an integration test of JOSDK shows. */
@Test
@Timeout(300)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Scenario {
    /** The name of JOSDK's test, without the ending IT. */
    String value();
}
