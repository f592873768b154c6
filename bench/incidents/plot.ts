// Draws docs/images/incidents.svg: a label's share by day, and incidents that the rule detects. After `npm run bench -- --quick
// incidents`: node bench-dist/bench/incidents/plot.js > docs/images/incidents.svg
import { detectIncidents } from "#dist/incidents/detection/detect-incidents.js";
import { Chance } from "./chance.js";
import { randomHistory } from "./random-traffic.js";

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [860, 300, 44, 16, 28];
const DAYS = 90;
const LEAST = 20;

const { firstDay, lastDay, app, labels } = randomHistory(new Chance(5), {
  days: DAYS,
  labels: 3,
  volume: 400,
  delivered: 90,
  faults: (_, first) => [
    { label: "label-1", from: first + 34, to: first + 34, lost: 0.25, into: 6 },
    { label: "label-1", from: first + 52, to: first + 58, lost: 0.15, into: 1 },
    { label: "label-1", from: first + 74, to: first + DAYS, lost: 0.6, into: 5 },
  ],
});

const finder = detectIncidents(app, labels, lastDay);
let step = finder.next();
while (!step.done) step = finder.next();
const counts = labels.get("label-1");

const x = (day: number): number => LEFT + ((day - firstDay + 0.5) * (WIDTH - LEFT)) / DAYS;
const y = (percent: number): number => TOP + ((100 - percent) * (HEIGHT - TOP - BOTTOM)) / (100 - LEAST);
const round = (length: number): string => length.toFixed(1);
const half = (WIDTH - LEFT) / DAYS / 2;

console.log(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img">`,
);
console.log("<title>Delivered share of a label by day, with three incidents and their usual bands</title>");
console.log(`<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`);
for (let percent = LEAST; percent <= 100; percent += 20) {
  console.log(`<path d="M${LEFT} ${round(y(percent))}H${WIDTH}" stroke="#ddd"/>`);
  console.log(
    `<text x="${LEFT - 6}" y="${round(y(percent) + 4)}" text-anchor="end" fill="#555">${percent} %</text>`,
  );
}
for (const incident of step.value) {
  if (incident.label !== "label-1") continue;
  const left = round(x(incident.startDay) - half);
  const width = round(x(incident.endDay ?? lastDay) + half - Number(left));
  const [high, low] = [y(incident.usualHighPercent), y(incident.usualLowPercent)];
  console.log(
    `<rect x="${left}" y="${TOP}" width="${width}" height="${HEIGHT - TOP - BOTTOM}" fill="#fbe3dd"/>`,
  );
  console.log(
    `<rect x="${left}" y="${round(high)}" width="${width}" height="${round(low - high)}" fill="#9cc3e6"/>`,
  );
}
for (const [row, day] of (counts?.days ?? new Int32Array()).entries()) {
  const share = (100 * (counts?.outcomes[0]?.[row] ?? 0)) / (counts?.accepted[row] ?? 1);
  console.log(`<circle cx="${round(x(day))}" cy="${round(y(share))}" r="2.6" fill="#1f4e79"/>`);
}
console.log(`<text x="${LEFT}" y="${HEIGHT - 8}" fill="#555">day 1</text>`);
console.log(`<text x="${WIDTH - 4}" y="${HEIGHT - 8}" text-anchor="end" fill="#555">day ${DAYS}</text>`);
console.log("</svg>");
