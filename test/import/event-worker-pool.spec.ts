import { afterAll, expect, it } from "vitest";
import { acceptedAt } from "../../dist/messaging-data/events/accepted-days.js";
import { EventWorkerPool } from "../../dist/messaging-data/events/event-worker-pool.js";
import { accepted } from "../support/data/delivery-data.js";
import { ndjson } from "../support/data/import.js";

const DAYS = acceptedAt(Date.now(), { from: 0, ahead: 0 });
const LINE = ndjson([accepted("app", "2026-01-02T20:00:00Z")]);

const pool = new EventWorkerPool(8192);
afterAll(() => pool.close());

const segment = (lines: number) => new Uint8Array(Buffer.from(LINE.repeat(lines)));

it("EventWorkerPool parses a small import of one project before the waiting segments of another", async () => {
  const finished: string[] = [];
  const parse = async (project: string, lines: number) => {
    const { block } = await pool.parse(project, segment(lines), DAYS);
    expect(block.length).toBe(lines);
    finished.push(project);
  };
  const large = Array.from({ length: 60 }, () => parse("large", 3_000));
  await Promise.all([...large, parse("small", 1)]);
  expect(finished).toHaveLength(61);
  expect(finished.indexOf("small")).toBeLessThan(40);
});
