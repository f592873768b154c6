import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOrMakeSecret } from "./secret-file.js";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "waybill-secret-"));
});
afterEach(() => rm(directory, { recursive: true }));

const never = (): string => {
  throw new Error("the secret was made again");
};

describe("readOrMakeSecret", () => {
  it("creates a secret that only its owner may read, and reads it from then on", async () => {
    const path = join(directory, "keys", "deep", "secret");
    const secret = await readOrMakeSecret(path, () => "s3cret");
    expect(secret.trim()).toBe("s3cret");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, "keys"))).mode & 0o777).toBe(0o700);
    expect(await readOrMakeSecret(path, never)).toBe(secret);
  });

  it("leaves no other files behind", async () => {
    await readOrMakeSecret(join(directory, "secret"), () => "s");
    expect(await readdir(directory)).toEqual(["secret"]);
    await expect(readOrMakeSecret(join(directory, "other"), never)).rejects.toThrow();
    expect(await readdir(directory)).toEqual(["secret"]);
  });

  it("gives the same secret to all that create it concurrently", async () => {
    const path = join(directory, "secret");
    const secrets = await Promise.all(
      Array.from({ length: 20 }, (_, i) => readOrMakeSecret(path, () => `secret ${i}`)),
    );
    expect(new Set(secrets)).toEqual(new Set([await readFile(path, "utf8")]));
    expect(await readdir(directory)).toEqual(["secret"]);
  });

  it("keeps an existing secret", async () => {
    const path = join(directory, "secret");
    await writeFile(path, "mine\n");
    await chmod(path, 0o400);
    expect(await readOrMakeSecret(path, never)).toBe("mine\n");
  });

  it("names the file that it can neither read nor create", async () => {
    await expect(readOrMakeSecret(directory, never)).rejects.toThrow(directory);
    await writeFile(join(directory, "file"), "");
    const below = join(directory, "file", "secret");
    await expect(readOrMakeSecret(below, () => "s")).rejects.toThrow(below);
  });
});
