package dev.evenkeel.engine.patch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoTextTest {
    @Test
    void printsTreesLikeGo() {
        assertThat(GoText.of(Trees.tree("{'b':['x',1,1.5,null,true],'a':{},'c':''}")))
                .isEqualTo("map[a:map[] b:[x 1 1.5 <nil> true] c:]");
    }

    @Test
    void printsNumbersLikeGo() {
        assertThat(GoText.of(1e20)).isEqualTo("100000000000000000000");
        assertThat(GoText.of(1.25e21)).isEqualTo("1.25e+21");
        assertThat(GoText.of(-1e100)).isEqualTo("-1e+100");
        assertThat(GoText.of(0.0001)).isEqualTo("0.0001");
        assertThat(GoText.of(0.00001)).isEqualTo("1e-05");
        assertThat(GoText.of(3.0)).isEqualTo("3");
        assertThat(GoText.of(-0.0)).isEqualTo("-0");
    }
}
