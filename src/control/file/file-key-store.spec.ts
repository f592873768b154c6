import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KeyError } from "../key-store.js";
import { describeKeyStore } from "../testing/key-conformance.js";
import { FileKeyStore } from "./file-key-store.js";

describeKeyStore("FileKeyStore", async () => {
  const directory = await mkdtemp(join(tmpdir(), "waybill-keys-"));
  return {
    open: () => new FileKeyStore(directory),
    dispose: () => rm(directory, { recursive: true }),
  };
});

describe("a key file", () => {
  let directory: string;
  let folder: string;
  let keys: FileKeyStore;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "waybill-keys-"));
    folder = join(directory, "deep", "keys");
    keys = new FileKeyStore(join(directory, "deep"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const never = (): string => {
    throw new Error("the secret was made again");
  };

  it("may be read by its owner only", async () => {
    const { place } = await keys.secret("secret", () => "s3cret");
    expect(place).toBe(join(folder, "secret"));
    expect(await readFile(place, "utf8")).toBe("s3cret\n");
    expect((await stat(place)).mode & 0o777).toBe(0o600);
    for (const made of [folder, join(directory, "deep")]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it("is made without other files that stay", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => keys.secret("secret", () => `secret ${i}`)));
    expect(await readdir(folder)).toEqual(["secret"]);
    await expect(keys.secret("other", never)).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["secret"]);
  });

  it("is kept if an operator made it", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "secret"), "mine\n");
    await chmod(join(folder, "secret"), 0o400);
    expect(await keys.secret("secret", never)).toEqual({ text: "mine", place: join(folder, "secret") });
  });

  it("is named if it can be neither read nor made", async () => {
    await mkdir(join(folder, "secret"), { recursive: true });
    const unreadable = keys.secret("secret", never);
    await expect(unreadable).rejects.toThrow(`cannot read the key file ${join(folder, "secret")}`);
    await writeFile(join(directory, "file"), "");
    const unmade = new FileKeyStore(join(directory, "file")).secret("secret", () => "s");
    await expect(unmade).rejects.toBeInstanceOf(KeyError);
    await expect(unmade).rejects.toThrow(join(directory, "file", "keys", "secret"));
  });
});
