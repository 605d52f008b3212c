"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const color = (name) => getComputedStyle(root).getPropertyValue("--" + name).trim();
  const dashes = [[], [6, 4], [2, 3], [8, 3, 2, 3], [1, 5], [12, 4]];
  const strokes = ["", " (dashed)", " (dotted)", " (dashes and dots)", " (wide dots)", " (long dashes)"];
  const height = 220;
  let plots = [];

  const digits = (value) => {
    const size = Math.abs(value);
    return size >= 100 || size === 0 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
  };
  const scaled = (value, base, units) => {
    let at = 0;
    while (Math.abs(value) >= base && at < units.length - 1) {
      value /= base;
      at++;
    }
    return digits(value) + " " + units[at];
  };
  const seconds = (value) => {
    const size = Math.abs(value);
    if (size === 0) return "0";
    if (size >= 120) return digits(value / 60) + " min";
    if (size >= 1) return digits(value) + " s";
    return size >= 1e-3 ? digits(value * 1e3) + " ms" : digits(value * 1e6) + " µs";
  };
  const quantity = (unit) => (value) => {
    if (value == null) return "–";
    if (unit === "seconds") return seconds(value);
    if (unit === "bytes") return scaled(value, 1000, ["B", "kB", "MB", "GB", "TB"]);
    if (unit === "bytes/s") return scaled(value, 1000, ["B/s", "kB/s", "MB/s", "GB/s"]);
    const number = Math.abs(value) >= 1e4 ? scaled(value, 1000, ["", "k", "M", "G", "T"]) : digits(value);
    return unit ? number + " " + unit : number;
  };
  const clock = (value) => {
    if (value == null) return "–";
    if (value < 120) return digits(value) + " s";
    const rest = Math.round(value % 60);
    return Math.floor(value / 60) + ":" + String(rest).padStart(2, "0") + " min";
  };
  const share = (value) => {
    if (value == null) return "–";
    const percent = 100 * (1 - Math.pow(10, -value));
    return String(Number(percent.toFixed(Math.max(0, Math.ceil(value) - 1)))) + " %";
  };

  const bands = (all, names) => (u) => {
    const ctx = u.ctx;
    const { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
    ctx.textBaseline = "top";
    ctx.textAlign = "left";
    all.forEach((band, i) => {
      const from = u.valToPos(band.from, "x", true);
      const to = u.valToPos(band.to, "x", true);
      if (!names) {
        if (i % 2 === 0) {
          ctx.fillStyle = color("band");
          ctx.fillRect(from, top, to - from, height);
        }
        return;
      }
      const room = Math.min(to, left + width) - Math.max(from, left) - 6 * devicePixelRatio;
      let kept = band.name.length;
      const text = () => kept < band.name.length ? band.name.slice(0, kept) + "…" : band.name;
      while (kept > 1 && ctx.measureText(text()).width > room) kept--;
      if (kept > 1) {
        ctx.fillStyle = color("muted");
        ctx.fillText(text(), Math.max(from, left) + 3 * devicePixelRatio, top + 3 * devicePixelRatio);
      }
    });
    ctx.restore();
  };

  const axis = (more) => Object.assign({
    stroke: color("muted"),
    grid: { stroke: color("grid"), width: 1 },
    ticks: { stroke: color("grid"), width: 1, size: 4 },
    font: "12px system-ui, sans-serif",
  }, more);

  const line = (one, unit) => Object.assign({
    label: one.label + strokes[one.dash % 6],
    stroke: color("line-" + one.color % 6),
    width: 1.75,
    dash: dashes[one.dash % 6],
    spanGaps: true,
    points: { show: Boolean(one.dots), size: 6 },
    value: (u, value) => quantity(unit)(value),
  }, one.marks ? { paths: () => null, points: { show: true, size: 6, stroke: color("line-" + one.color % 6), fill: color("page") } } : {});

  // above the greatest value there is room for the names of the phases
  const room = (least, most) => [least, most + (most - least || Math.abs(most) || 1) * 0.2];

  const time = (plot) => ({
    scales: { x: { time: false }, y: { range: (u, least, most) => least == null ? [0, 1] : room(Math.min(0, least), most) } },
    axes: [
      axis({ size: 28, incrs: [0.001, 0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 86400], values: (u, all) => all.map(clock) }),
      axis({ size: 76, values: (u, all) => all.map(quantity(plot.unit)) }),
    ],
    x: { label: "time", value: (u, value) => clock(value) },
  });
  const tail = () => ({
    scales: { x: { time: false }, y: { distr: 3 } },
    axes: [
      axis({ size: 28, splits: (u) => [0, Math.log10(2), 1, 2, 3, 4, 5, 6, 7].filter((at) => at <= u.scales.x.max), values: (u, all) => all.map(share) }),
      axis({ size: 64, values: (u, all) => all.map((value) => value == null ? null : seconds(value)) }),
    ],
    x: { label: "share", value: (u, value) => share(value) },
  });
  const cycles = (plot) => ({
    scales: { x: { time: false }, y: { range: (u, least, most) => least == null ? [0, 1] : room(least - (most - least) * 0.05, most) } },
    axes: [axis({ size: 28, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] }), axis({ size: 76, values: (u, all) => all.map(quantity(plot.unit)) })],
    x: { label: "cycle", value: (u, value) => value == null ? "–" : String(value) },
  });

  const sizes = () => ({
    scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
    axes: [
      axis({ size: 28, values: (u, all) => all.map((value) => value == null ? null : quantity("")(value)) }),
      axis({ size: 64, values: (u, all) => all.map((value) => value == null ? null : seconds(value)) }),
    ],
    x: { label: "objects", value: (u, value) => value == null ? "–" : String(value) },
  });

  const draw = () => {
    plots.forEach((one) => one.destroy());
    plots = [...document.querySelectorAll("[data-plot]")].map((place) => {
      const plot = data.plots[Number(place.dataset.plot)];
      const shape = { time, tail, cycles, sizes }[plot.kind](plot);
      return new uPlot({
        width: place.clientWidth || 480,
        height,
        scales: shape.scales,
        axes: shape.axes,
        series: [shape.x, ...plot.lines.map((one) => line(one, plot.unit))],
        hooks: { drawClear: [bands(plot.bands, false)], drawAxes: [bands(plot.bands, true)] },
        cursor: { drag: { x: true, y: false }, points: { size: 7 }, sync: plot.kind === "time" ? { key: "time" } : undefined },
      }, plot.lines.length > 1 ? uPlot.join(plot.lines.map((one) => [one.x, one.y])) : [plot.lines[0].x, plot.lines[0].y], place);
    });
  };

  let pending = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => plots.forEach((one) => {
      const width = one.root.parentNode.clientWidth;
      if (width && width !== one.width) one.setSize({ width, height });
    }));
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  addEventListener("beforeprint", () => {
    root.classList.add("paper");
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
    draw();
  });
  addEventListener("afterprint", () => { root.classList.remove("paper"); draw(); });
  draw();
  root.dataset.drawn = String(plots.length);
})();
