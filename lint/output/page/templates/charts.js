"use strict";
/** The charts of each run on the page; what is beside each other is drawn to one scale. */
const runs = JSON.parse(document.getElementById("data").textContent);
const largest = (numbers) => numbers.reduce((most, each) => Math.max(most, each), 0);
const ink = getComputedStyle(document.documentElement);
const color = (name) => ink.getPropertyValue(`--${name}`).trim();
const axis = (more) => ({ stroke: color("ink"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line") }, ...more });

/** Draws the waits of a lane as bars from begin to end, those of one pixel once: a long run has many more than pixels. */
function marks(data, plot, lane, from, to) {
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
function timeline(data, place) {
  const size = Math.min(270, Math.round(place.clientWidth / 2.5));
  const longest = Math.floor(size / 8);
  const short = (name) => (name.length > longest ? `…${name.slice(1 - longest)}` : name);
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
      width: place.clientWidth,
      height: 90 + 22 * data.lanes.length,
      scales: { x: { time: false }, y: { range: [0.6 - data.lanes.length, 0.6] } },
      axes: [
        axis({ label: `ms since the ${data.origin}${data.took ? "" : " (no device clock)"}`, labelSize: 22 }),
        axis({ size, splits: data.lanes.map((_, lane) => -lane), values: data.lanes.map(short), filter: (_, all) => all }),
      ],
      series: [
        { label: "ms", value: (_, at) => at?.toFixed(2) ?? "" },
        ...data.lanes.map((label) => ({
          label, paths: (...where) => marks(data, ...where), fill: color("warning"), points: { show: false },
        })),
      ],
      legend: { show: false },
      cursor: { y: false },
      hooks: { drawAxes: [ends] },
    },
    [data.ended, ...lanes],
    place,
  );
}

/** How often, and if there is a clock how long, each step waited. */
function steps(data, place) {
  const bars = uPlot.paths.bars({ size: [0.8, 40] });
  const numbers = data.steps.map((_, at) => at + 1);
  const most = (name) => [0, largest(runs.map((run) => largest(run[name] ?? []))) || 1];
  const all = [0.5, largest(runs.map((run) => run.steps.length)) + 0.5];
  const time = data.blocked_of_step;
  return new uPlot(
    {
      width: place.clientWidth,
      height: 180,
      scales: { x: { time: false, range: (_, min, max) => (max - min === data.steps.length - 1 ? all : [min, max]) }, n: { range: most("waits_of_step") }, ms: { range: most("blocked_of_step") } },
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
    place,
  );
}

function table(data, body) {
  data.steps.forEach((end, at) => {
    const row = body.insertRow();
    const name = at < data.skipped ? `${at + 1} (warm-up)` : at + 1;
    for (const cell of [name, end.toFixed(2), data.waits_of_step[at], data.blocked_of_step?.[at]?.toFixed(2) ?? "-"]) {
      row.insertCell().textContent = cell;
    }
  });
}

const plots = [];
const timelines = [];
const first = -largest(runs.map((run) => -(run.ended[0] ?? 0)));
const last = largest(runs.map((run) => run.ended.at(-1) ?? 0));

/** Shows a part of all timelines, as wide as it is, between the first wait and the last. */
function show(min, max) {
  const left = Math.max(Math.min(min, last - (max - min)), first);
  const shown = { min: left, max: Math.min(left + (max - min), last) };
  for (const plot of timelines) if (plot.scales.x.min !== shown.min || plot.scales.x.max !== shown.max) plot.setScale("x", shown);
}

document.querySelectorAll(".charts").forEach((place, at) => {
  const data = runs[at];
  if (data.ended.length) {
    const plot = timeline(data, place.querySelector(".timeline"));
    timelines.push(plot);
    plots.push(plot);
  }
  if (data.steps.length > 1) plots.push(steps(data, place.querySelector(".steps")));
  const body = place.querySelector("details tbody");
  body.closest("details").addEventListener("toggle", () => table(data, body), { once: true });
});
if (timelines.length > 1) {
  for (const plot of timelines) {
    plot.hooks.setScale = [(_, scale) => scale === "x" && show(plot.scales.x.min, plot.scales.x.max)];
    plot.over.addEventListener("dblclick", () => show(first, last));
  }
  show(Math.min(0, last), last);
}
document.querySelectorAll("[data-zoom]").forEach((button) =>
  button.addEventListener("click", () => {
    const { min, max } = timelines[0]?.scales.x ?? {};
    const half = (Number(button.dataset.zoom) * (max - min)) / 2;
    half ? show((min + max) / 2 - half, (min + max) / 2 + half) : show(first, last);
  }),
);
document.querySelectorAll("[data-pan]").forEach((button) =>
  button.addEventListener("click", () => {
    const { min, max } = timelines[0]?.scales.x ?? {};
    const by = Number(button.dataset.pan) * (max - min);
    show(min + by, max + by);
  }),
);
addEventListener("resize", () => plots.forEach((plot) => plot.setSize({ width: plot.root.parentElement.clientWidth, height: plot.height })));
