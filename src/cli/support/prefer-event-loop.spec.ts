import { readdirSync } from "node:fs";
import { getPriority } from "node:os";
import { expect, it } from "vitest";
import { preferEventLoop } from "./prefer-event-loop.js";

it.runIf(process.platform === "linux")(
  "gives all threads but that of the event loop a lower priority",
  () => {
    const before = getPriority();
    preferEventLoop();
    const niceness = readdirSync("/proc/self/task").map((thread) => ({
      isEventLoop: Number(thread) === process.pid,
      nice: getPriority(Number(thread)),
    }));
    const others = niceness.filter(({ isEventLoop }) => !isEventLoop);
    expect(niceness.find(({ isEventLoop }) => isEventLoop)?.nice).toBe(before);
    expect(others.length).toBeGreaterThan(0);
    expect(others.every(({ nice }) => nice > before || nice === 19)).toBe(true);
  },
);
