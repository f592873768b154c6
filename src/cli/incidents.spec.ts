import { expect, test } from "vitest";
import { incidentsCommand, surePercent } from "./incidents.js";

// Nothing listens at this address: a call that is sent fails with another error.
const TARGET = ["--server", "http://127.0.0.1:9", "--token", "t", "--project", "p", "--app", "a"];

test.each([
  [["--from", "2025-02-29"], /--from.*YYYY-MM-DD/],
  [["--to", "yesterday"], /--to.*YYYY-MM-DD/],
  [["--from", "2025-03-02", "--to", "2025-03-01"], /--from 2025-03-02 is after --to 2025-03-01/],
  [["--label", 'a" OR analyticsLabel = "b'], /--label.*characters/],
  [["--format", "csv"], /--format.*table, json, ndjson/],
  [["--server", "nowhere"], /--server is not a URL: nowhere/],
])("waybill incidents rejects the arguments %j", async (flags, message) => {
  const command = incidentsCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await expect(command.parseAsync([...TARGET, ...flags], { from: "user" })).rejects.toThrow(message);
});

test.each([
  [0, 0],
  [0.5, 50],
  [0.98765, 98.76],
  [0.999, 99.9],
  [0.99999, 99.99],
  [1, 99.99],
])("surePercent(%f) is %f", (confidence, expected) => {
  expect(surePercent(confidence)).toBe(expected);
});
