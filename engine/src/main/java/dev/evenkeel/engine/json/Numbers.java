package dev.evenkeel.engine.json;

import java.math.BigDecimal;

/** Numbers in the text form that Go gives them: shortest digits, an exponent below 1e-6 and from 1e21 on. */
final class Numbers {
    private Numbers() {}

    static String text(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        double size = Math.abs(value);
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (size >= 1e-6 && size < 1e21) {
            return digits.toPlainString();
        }
        String unscaled = digits.unscaledValue().abs().toString();
        int exponent = digits.precision() - digits.scale() - 1;
        String fraction = unscaled.length() > 1 ? "." + unscaled.substring(1) : "";
        String sign = exponent < 0 ? "-" : "+";
        String power = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : String.valueOf(Math.abs(exponent));
        return (value < 0 ? "-" : "") + unscaled.charAt(0) + fraction + "e" + sign + power;
    }
}
