import { type Day, formatDay } from "../model/day.js";
import type { Fault } from "../simulator/faults.js";
import type { SimulationOptions } from "../simulator/simulate-traffic.js";
import { DEMO_ANDROID_APPS } from "./config/demo-config.js";

const DAYS = 75;

/** Traffic of the demo, which ends the day before `today`. It has something to find: two faults, in all apps. */
export const demoTraffic = (today: Day): SimulationOptions => ({
  apps: DEMO_ANDROID_APPS,
  startDay: formatDay(today - DAYS),
  days: DAYS,
  messages: 60_000,
  labels: 8,
  seed: 1,
  faults: [badDay(formatDay(today - 26)), fallOfPromo(formatDay(today - 12))],
});

const badDay = (day: string): Fault => ({ from: day, to: day, delivered: 0.5 });

const fallOfPromo = (from: string): Fault => ({ label: "promo", from, delivered: 0.45 });
