import { expect, test } from "vitest";
import { listCommand } from "./list.js";

// Nothing listens at this address: a call that is sent fails with another error.
const TARGET = ["--server", "http://127.0.0.1:9", "--token", "t", "--project", "p", "--app", "a"];

test.each([
  [["--from", "2025-02-29"], /--from.*YYYY-MM-DD/],
  [["--to", "yesterday"], /--to.*YYYY-MM-DD/],
  [["--to", '2025-03-01" OR "'], /--to.*YYYY-MM-DD/],
  [["--from", "2025-03-02", "--to", "2025-03-01"], /--from 2025-03-02 is after --to 2025-03-01/],
  [["--label", "a*"], /--label.*characters/],
  [["--label", 'a" OR analyticsLabel = "b'], /--label.*characters/],
  [["--label", "x".repeat(51)], /--label.*1 to 50/],
  [["--as-of", "yesterday"], /--as-of.*must be a time/],
  [["--as-of", "2026-11-14"], /--as-of.*must be a time/],
  [["--as-of", "2026-13-14T08:00:00Z"], /--as-of.*must be a time/],
  [["--page-size", "0"], /--page-size.*from 1 to 10000/],
  [["--page-size", "10001"], /--page-size.*from 1 to 10000/],
  [["--format", "xml"], /--format.*table, json, ndjson, csv/],
  [["--server", "nowhere"], /--server is not a URL: nowhere/],
  [["--server", "ftp://x"], /--server must begin with http/],
])("waybill list rejects the arguments %j", async (flags, message) => {
  const command = listCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await expect(command.parseAsync([...TARGET, ...flags], { from: "user" })).rejects.toThrow(message);
});
