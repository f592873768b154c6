import { execFile } from "node:child_process";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { curlLine, entriesRequest, shellQuoted } from "../../console/src/api/requests.js";
import { loopbackServer } from "../../src/http/testing/loopback-server.js";
import { dayOfCivil } from "../../src/model/day.js";

const run = promisify(execFile);
const { origin: address, close } = await loopbackServer(({ url, headers }, response) => {
  response.end(JSON.stringify({ url, authorization: headers.authorization }));
});
afterAll(close);

const range = { first: dayOfCivil(2025, 3, 1), last: dayOfCivil(2025, 3, 28) };

test.each([
  { what: "an app", app: "1:123456789012:android:0a1b2c3d4e5f", labels: undefined },
  {
    what: "two labels of an app",
    app: "1:123456789012:android:0a1b2c3d4e5f",
    labels: ["", "-spring~2025.%20_sale"],
  },
  { what: "a label of all apps", app: "-", labels: ["one"] },
  {
    what: "an app with shell metacharacters in its name",
    app: 'it\'s $HOME `id` "quoted" \\ [a-b]{c} !! é',
    labels: undefined,
  },
])("the curl command sends the same request as the page for $what", async (selected) => {
  const selection = { project: "demo-project", range, ...selected };
  const env = { ...process.env, TOKEN: "the-token" };
  const { stdout } = await run("sh", ["-c", curlLine(`${address}/below`, selection)], { env });
  const { url, authorization } = JSON.parse(stdout) as { url: string; authorization: string };
  expect(authorization).toBe("Bearer the-token");
  expect(read(url)).toEqual(read(`/below${entriesRequest({ ...selection, pageSize: 10_000 })}`));
});

/** Path and query, decoded like on the server. */
function read(url: string): object {
  const { pathname, searchParams } = new URL(url, address);
  return { path: pathname.split("/").map(decodeURIComponent), query: [...searchParams] };
}

test("a shell restores every text that shellQuoted has quoted", async () => {
  // Shell words cannot contain NUL.
  const texts = fc.sample(
    fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "")),
    { numRuns: 200, seed: 1 },
  );
  texts.push("'", "''", "a'b", "\\'", "$(id)", "!!", "\n");
  const { stdout } = await run("sh", ["-c", `printf '%s\\0' ${texts.map(shellQuoted).join(" ")}`]);
  expect(stdout.split("\0").slice(0, -1)).toEqual(texts);
});
