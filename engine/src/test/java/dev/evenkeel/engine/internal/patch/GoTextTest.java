package dev.evenkeel.engine.internal.patch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoTextTest {
    @Test
    void printsTreesLikeGo() {
        assertThat(GoText.of(Trees.tree("{'b':['x',1,1.5,null,true],'a':{},'c':''}")))
                .isEqualTo("map[a:map[] b:[x 1 1.5 <nil> true] c:]");
    }
}
