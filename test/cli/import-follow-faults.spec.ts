import { chmodSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { respond } from "../support/http/recorder.js";
import { poll } from "../support/poll.js";
import { eventsOf, linesOf, printed, test } from "../support/servers/following.js";
import { OTHER_PROJECT } from "../support/servers/project.js";
import { NOBODY } from "../support/servers/waybill-command.js";

test("waybill import --follow skips a file without read permission, reports it once, and imports it later", async ({
  add,
  directory,
  follow,
  moved,
}) => {
  chmodSync(directory, 0o777);
  add("1.ndjson", eventsOf("secret", 1));
  chmodSync(join(directory, "1.ndjson"), 0);
  add("2.ndjson", eventsOf("readable", 1));
  const { output } = follow([], undefined, NOBODY);
  await moved("imported", "2.ndjson");
  add("3.ndjson", eventsOf("readable", 1));
  await moved("imported", "3.ndjson");
  const problem = /1\.ndjson: permission denied; continuing with other files\n/g;
  await printed(output, problem);
  expect(output().match(problem)).toHaveLength(1);
  chmodSync(join(directory, "1.ndjson"), 0o644);
  await moved("imported", "1.ndjson");
});

test("waybill import --follow sends a whole file again if it is restarted with another project", async ({
  follow,
  importTwo,
  moved,
  recorder,
}) => {
  const lines = linesOf("other", 3);
  await importTwo("other.ndjson", lines, "SIGKILL");
  follow(["--project", OTHER_PROJECT.id], recorder.url);
  const again = await recorder.next(3);
  expect(again.body).toBe(lines.join(""));
  respond(again.response, 200, { importedCount: "3" });
  await moved("imported", "other.ndjson");
});

test("waybill import --follow waits longer after each failure to write its progress", async ({
  add,
  directory,
  follow,
  moved,
}) => {
  const obstacle = join(directory, ".waybill-import.json.tmp");
  mkdirSync(obstacle);
  add("1.ndjson", eventsOf("progress", 1));
  const { output } = follow();
  const pauses = (): number[] =>
    [
      ...output().matchAll(/the progress cannot be noted in \S+: it is a directory; retrying in (\S+) s\n/g),
    ].map(([, seconds]) => Number(seconds));
  // The first pause has at most 1 second, the third one at least 2.
  await poll(() => pauses().some((seconds) => seconds >= 2));
  rmdirSync(obstacle);
  await moved("imported", "1.ndjson");
});

test("waybill import --follow retries if a proxy rejects a request", async ({
  add,
  directory,
  follow,
  moved,
  recorder,
}) => {
  add("1.ndjson", eventsOf("proxied", 1));
  const { output } = follow([], recorder.url);
  const { response } = await recorder.next(0);
  response.writeHead(400, { "content-type": "text/html" }).end("<h1>400 Bad Request</h1>");
  respond((await recorder.next(1)).response, 200, { importedCount: "1" });
  await moved("imported", "1.ndjson");
  await poll(() => readdirSync(directory), ["imported"]);
  await printed(output, /1\.ndjson: .*400.*; retrying in /);
});

test("waybill import --follow moves an invalid file only after it has written the reason", async ({
  add,
  directory,
  follow,
  moved,
}) => {
  const obstacle = join(directory, "rejected", "1.ndjson.error.txt");
  mkdirSync(obstacle, { recursive: true });
  add("1.ndjson", "invalid\n");
  const { output } = follow();
  await poll(() => /1\.ndjson\.error\.txt: it is a directory; retrying in /.test(output()));
  expect(readdirSync(directory)).toContain("1.ndjson");
  rmdirSync(obstacle);
  await moved("rejected", "1.ndjson", "1.ndjson.error.txt");
});

test("waybill import --follow rejects a file with the longest possible name, and continues", async ({
  add,
  directory,
  follow,
  moved,
}) => {
  // `add` appends five characters.
  const name = `1${"x".repeat(242)}.ndjson`;
  add(name, "invalid\n");
  add("2.ndjson", eventsOf("long", 1));
  follow();
  await moved("imported", "2.ndjson");
  expect(readdirSync(join(directory, "rejected"))).toEqual([name]);
});
