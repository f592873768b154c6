import { beforeAll, expect, it } from "vitest";
import { packagePath } from "../support/package-path.js";
import { run } from "../support/servers/run.js";

beforeAll(async () => {
  const { code, stdout } = await run(packagePath("node_modules/.bin/tsc"), [
    "-p",
    packagePath("soak/tsconfig.json"),
  ]);
  if (code !== 0) throw new Error(stdout);
});

const soak = (...args: string[]) => run(process.execPath, [packagePath("soak-dist/soak/run.js"), ...args]);

it("a short soak test with some kills finds no violations", async () => {
  const { code, stdout, stderr } = await soak("--minutes", "0.15", "--kills", "4", "--seed", "9");
  expect(stdout, stderr).toMatch(/^violations: 0$/m);
  expect(stdout, stderr).not.toMatch(/^violations: [1-9]/m);
  expect(code).toBe(0);
  // Every protocol was used, and a server was killed.
  for (const protocol of ["HTTP/1.1 JSON", "HTTP/2 JSON", "gRPC", "gRPC-Web", "Connect", "@waybill/client"]) {
    expect(stdout).toMatch(new RegExp(`^  ${protocol} .*OK \\d+`, "m"));
  }
  expect(stdout).toMatch(/^faults: .*kill -9 \d+/m);
  expect(stdout).toMatch(/^events acknowledged: [1-9]/m);
});

it("the soak test prints its usage if it has no arguments", async () => {
  const { code, stderr } = await soak();
  expect(code).toBe(1);
  expect(stderr).toContain("npm run soak -- --minutes N");
});
