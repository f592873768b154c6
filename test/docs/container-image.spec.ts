import { once } from "node:events";
import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { stringify } from "yaml";
import {
  buildImage,
  execInContainer,
  firstProcess,
  startContainer,
} from "../support/servers/container-image.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG } from "../support/servers/project.js";

const MAX_IMAGE_BYTES = 250_000_000;

const test = serving
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
  .extend("image", { scope: "file" }, ({}, { onCleanup }) => {
    const image = buildImage();
    onCleanup(image.remove);
    return image;
  })
  /** The first process of a container that is ready. */
  .extend("container", async ({ image, directory }, { onCleanup }) => {
    const [data, config] = [join(directory, "data"), join(directory, "config")];
    for (const folder of [data, config]) mkdirSync(folder);
    const [user] = image.config.User.split(":");
    chownSync(data, Number(user), Number(user));
    writeFileSync(join(config, "waybill.yaml"), stringify(BASE_CONFIG));
    const child = startContainer(image, data, config);
    const exited = once(child, "exit");
    onCleanup(async () => {
      child.kill("SIGKILL");
      await exited;
    });
    if (child.stdout === null) throw new Error("the container's output is not connected");
    const [ready] = await Promise.race([once(createInterface(child.stdout), "line"), exited]);
    expect(JSON.parse(String(ready))).toMatchObject({ event: "ready" });
    const pid = firstProcess(child);
    const exec = (...command: readonly string[]) => execInContainer(image, pid, command);
    return { pid, exited, exec };
  });

test("the image has at most 250 MB", ({ image }) => {
  expect(image.bytes).toBeGreaterThan(100_000_000);
  expect(image.bytes).toBeLessThan(MAX_IMAGE_BYTES);
});

test("the image runs as an ordinary user with a read-only root file system, is healthy, and stops at SIGTERM", async ({
  image,
  container: { pid, exited, exec },
}) => {
  const [kind, ...check] = image.config.Healthcheck.Test;
  expect(kind).toBe("CMD");
  expect(await exec(...check)).toEqual({ code: 0, output: "" });
  const script =
    "for (const path of ['/console/', '/docs/']) console.log((await fetch('http://127.0.0.1:8081' + path)).status)";
  expect(await exec("node", "--input-type=module", "--eval", script)).toEqual({
    code: 0,
    output: "200\n200",
  });

  const user = await exec("node", "--print", "process.getuid()");
  expect(Number(user.output)).toBeGreaterThan(0);
  for (const path of ["/waybill/bin/waybill", "/tmp/file", "/etc/waybill/file"])
    expect(await exec("sh", "-c", `: > ${path}`)).toMatchObject({ code: 2 });
  expect(await exec("/waybill/bin/waybill", "config", "history", "--data-dir", "/data")).toMatchObject({
    code: 0,
  });

  expect(image.config).toMatchObject({ StopSignal: "SIGTERM", Volumes: { "/data": {} } });
  process.kill(pid, "SIGTERM");
  expect(await exited).toEqual([0, null]);
});
