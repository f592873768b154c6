// Runs all tests three times beside busy loops: each time with another time zone and another date. Debian's `faketime`
// changes the date. Arguments are passed on to the tests: test-anywhere.mjs test/auth
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const LOOPS = 4;

/** Programs that hang under libfaketime. The date does not affect their data. */
const REAL_DATE = ["clickhouse-server", "java", "haproxy"];

/** Returns the environment in which programs see another date, and the usual monotonic clock. @param days how much later. */
function atDate(days) {
  const library = readdirSync("/usr/lib")
    .map((folder) => join("/usr/lib", folder, "faketime/libfaketimeMT.so.1"))
    .find(existsSync);
  if (library === undefined) throw new Error("needs faketime (apt-get install faketime)");
  const wrappers = mkdtempSync(join(tmpdir(), "waybill-wrappers-"));
  process.once("exit", () => rmSync(wrappers, { recursive: true }));
  for (const name of REAL_DATE) {
    const script = `#!/bin/sh\nunset LD_PRELOAD\nPATH=\${PATH#*:}\nexec ${name} "$@"\n`;
    writeFileSync(join(wrappers, name), script, { mode: 0o755 });
  }
  return {
    ...{
      LD_PRELOAD: library,
      FAKETIME: `${days < 0 ? "" : "+"}${days}d`,
      WAYBILL_TEST_MOVED_DAYS: String(days),
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    PATH: `${wrappers}:${process.env.PATH}`,
  };
}

// The first run may install what tests need, which needs the real date.
const RUNS = [
  ["TZ=Pacific/Apia", () => ({ TZ: "Pacific/Apia" })],
  ["the date in 200 days", () => atDate(200)],
  ["the date 40 days ago", () => atDate(-40)],
];

const results = RUNS.map(([name, environment]) => {
  console.log(`\n== ${name}, beside ${LOOPS} busy loops`);
  const env = { ...process.env, ...environment() };
  const loops = Array.from({ length: LOOPS }, () => spawn(process.execPath, ["-e", "for (;;);"]));
  const began = performance.now();
  const { status } = spawnSync(process.execPath, ["scripts/test.mjs", ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  for (const loop of loops) loop.kill("SIGKILL");
  const minutes = (performance.now() - began) / 60_000;
  return {
    isGreen: status === 0,
    text: `${name}: ${status === 0 ? "green" : "failed"}, ${minutes.toFixed(1)} minutes`,
  };
});
console.log(`\n${results.map(({ text }) => text).join("\n")}`);
process.exit(results.every(({ isGreen }) => isGreen) ? 0 : 1);
