"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const ink = getComputedStyle(document.documentElement);
const color = (name) => ink.getPropertyValue(`--${name}`).trim();
const axis = (more) => ({ stroke: color("ink"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line") }, ...more });
const width = () => document.getElementById("timeline").clientWidth;

/** Draws the waits of a lane as bars from begin to end, those of one pixel once: a long run has many more than pixels. */
function marks(plot, lane, from, to) {
  const path = new Path2D();
  const values = plot.data[lane];
  const ratio = devicePixelRatio;
  let drawn = -Infinity;
  for (let at = from; at <= to; at++) {
    if (values[at] === null) continue;
    const right = Math.round(plot.valToPos(data.ended[at], "x", true)) + ratio;
    const left = Math.min(right - 2 * ratio, Math.round(plot.valToPos(data.ended[at] - (data.took?.[at] ?? 0), "x", true)));
    if (right <= drawn) continue;
    const top = plot.valToPos(values[at], "y", true) - 6 * ratio;
    path.rect(Math.max(left, drawn), top, right - Math.max(left, drawn), 12 * ratio);
    drawn = right;
  }
  return { fill: path };
}

/** One lane for each of the worst lines, with the ends of steps behind them. */
function timeline() {
  const short = (name) => (name.length > 34 ? `…${name.slice(-33)}` : name);
  const lanes = data.lanes.map((_, lane) => data.lane.map((each) => (each === lane ? -lane : null)));
  const ends = (plot) => {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = color("line");
    ctx.beginPath();
    let last = -9;
    for (const end of data.steps) {
      const x = Math.round(plot.valToPos(end, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width || x - last < 4) continue;
      ctx.moveTo((last = x), bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  };
  return new uPlot(
    {
      width: width(),
      height: 90 + 22 * data.lanes.length,
      scales: { x: { time: false }, y: { range: [0.6 - data.lanes.length, 0.6] } },
      axes: [
        axis({ label: data.took ? "ms since the start" : "ms since the start; without a clock only the order counts", labelSize: 22 }),
        axis({ size: 270, splits: data.lanes.map((_, lane) => -lane), values: data.lanes.map(short), filter: (_, all) => all }),
      ],
      series: [
        { label: "ms", value: (_, at) => at?.toFixed(2) ?? "" },
        ...data.lanes.map((label) => ({
          label, paths: marks, fill: color("warning"), points: { show: false },
        })),
      ],
      legend: { show: false },
      cursor: { y: false },
      hooks: { drawAxes: [ends] },
    },
    [data.ended, ...lanes],
    document.getElementById("timeline"),
  );
}

/** How often, and if there is a clock how long, each step waited. */
function steps() {
  const bars = uPlot.paths.bars({ size: [0.8, 40] });
  const numbers = data.steps.map((_, at) => at + 1);
  const time = data.blocked_of_step;
  return new uPlot(
    {
      width: width(),
      height: 180,
      scales: { x: { time: false }, n: { range: (_, __, most) => [0, most || 1] }, ms: { range: (_, __, most) => [0, most || 1] } },
      axes: [
        axis({ label: "step", labelSize: 22 }),
        axis({ scale: "n", label: "waits", size: 70 }),
        ...(time ? [axis({ scale: "ms", side: 1, label: "blocked, ms", grid: { show: false }, size: 70 })] : []),
      ],
      series: [
        { label: "step" },
        { label: "waits", scale: "n", paths: bars, fill: color("warning"), points: { show: false } },
        ...(time ? [{ label: "blocked, ms", scale: "ms", stroke: color("link"), points: { show: false } }] : []),
      ],
    },
    [numbers, data.waits_of_step, ...(time ? [time] : [])],
    document.getElementById("steps"),
  );
}

function table() {
  const body = document.querySelector("#table tbody");
  data.steps.forEach((end, at) => {
    const row = body.insertRow();
    const name = at < data.skipped ? `${at + 1} (warm-up)` : at + 1;
    for (const cell of [name, end.toFixed(2), data.waits_of_step[at], data.blocked_of_step?.[at]?.toFixed(2) ?? "-"]) {
      row.insertCell().textContent = cell;
    }
  });
}

const plots = [];
if (data.ended.length) {
  const plot = timeline();
  plots.push(plot);
  const first = Math.min(0, data.ended[0]);
  const last = data.ended.at(-1);
  const show = (min, max) => plot.setScale("x", { min: Math.max(min, first), max: Math.min(max, last) });
  document.querySelectorAll("[data-zoom]").forEach((button) =>
    button.addEventListener("click", () => {
      const { min, max } = plot.scales.x;
      const half = (Number(button.dataset.zoom) * (max - min)) / 2;
      half ? show((min + max) / 2 - half, (min + max) / 2 + half) : show(first, last);
    }),
  );
  document.querySelectorAll("[data-pan]").forEach((button) =>
    button.addEventListener("click", () => {
      const { min, max } = plot.scales.x;
      const by = Math.min(Math.max(Number(button.dataset.pan) * (max - min), first - min), last - max);
      show(min + by, max + by);
    }),
  );
}
if (data.steps.length > 1) plots.push(steps());
document.getElementById("table").closest("details").addEventListener("toggle", table, { once: true });
addEventListener("resize", () => plots.forEach((plot) => plot.setSize({ width: width(), height: plot.height })));
