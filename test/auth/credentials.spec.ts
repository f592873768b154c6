import { chmod, chown, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { describe, expect, it, test } from "vitest";
import { stringify } from "yaml";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { VIEWER } from "../support/servers/project.js";
import { NOBODY, waybill } from "../support/servers/waybill-command.js";
import { fileDirectory, testDirectory } from "../support/test-directory.js";

const directory = fileDirectory();

const at = (name: string): string => join(directory, name);
const create = (out: string, ...args: readonly string[]) =>
  runInProcess([
    ...["credentials", "create", "--data-dir", at("data"), "--principal", VIEWER, "--out", out],
    ...args,
  ]);
const read = async (path: string) => JSON.parse(await readFile(path, "utf8"));

describe("waybill credentials create", () => {
  it("writes a file for public clients that only its owner can read", async () => {
    const out = at("adc.json");
    const { code, stdout, stderr } = await create(out);
    expect(code).toBe(0);
    expect(stdout).toBe(`export GOOGLE_APPLICATION_CREDENTIALS=${out}\n`);
    expect(stderr).toContain(VIEWER);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const file = await read(out);
    expect(file).toEqual({
      type: "external_account",
      audience: "waybill",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: "http://127.0.0.1:8080/oauth2/token",
      credential_source: {
        file: out,
        format: { type: "json", subject_token_field_name: "subject_token" },
      },
      subject_token: expect.any(String),
    });
    expect(stdout + stderr).not.toContain(file.subject_token);
    const { aud, sub, iat = 0, exp = 0 } = decodeJwt(file.subject_token);
    expect({ aud, sub, days: (exp - iat) / 86_400 }).toEqual({
      aud: "urn:waybill:token-exchange",
      sub: VIEWER,
      days: 90,
    });
  });

  it("quotes any path for the shell", async () => {
    const { stdout } = await create(at("it's mine.json"));
    expect(stdout).toBe(`export GOOGLE_APPLICATION_CREDENTIALS='${directory}/it'\\''s mine.json'\n`);
  });

  it("reads the lifetime and the token URL from flags", async () => {
    await create(at("flags.json"), "--ttl", "12h", "--token-url", "https://waybill.example.com/token");
    const { token_url, subject_token } = await read(at("flags.json"));
    const { iat = 0, exp = 0 } = decodeJwt(subject_token);
    expect({ token_url, seconds: exp - iat }).toEqual({
      token_url: "https://waybill.example.com/token",
      seconds: 43_200,
    });
  });

  test.each([
    [{ integrityUrl: "https://waybill.example.com/" }, "https://waybill.example.com/oauth2/token"],
    [{ integrityPort: 9999 }, "http://127.0.0.1:9999/oauth2/token"],
    [{ host: "::1" }, "http://[::1]:8080/oauth2/token"],
    [
      { host: "localhost", tls: { certificate: "c.pem", key: "k.pem" } },
      "https://localhost:8080/oauth2/token",
    ],
  ])("derives the token URL from the configuration %j", async (config, tokenUrl) => {
    const file = at("waybill.yaml");
    await writeFile(file, stringify(config));
    expect((await create(at("found.json"), "--config", file, "--force")).code).toBe(0);
    expect((await read(at("found.json"))).token_url).toBe(tokenUrl);
  });

  it("replaces a file only with --force, and atomically", async () => {
    const out = at("there.json");
    await writeFile(out, "mine");
    const rejected = await create(out);
    expect(rejected).toMatchObject({ code: 1, stdout: "" });
    expect(rejected.stderr).toBe(`waybill: cannot write ${out}: the file exists; --force replaces it\n`);
    expect(await readFile(out, "utf8")).toBe("mine");
    expect((await create(out, "--force")).code).toBe(0);
    expect((await read(out)).type).toBe("external_account");
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  it("does not write through a link", async () => {
    await writeFile(at("target"), "mine");
    await symlink(at("target"), at("link.json"));
    expect((await create(at("link.json"))).code).toBe(1);
    expect((await create(at("link.json"), "--force")).code).toBe(0);
    expect(await readFile(at("target"), "utf8")).toBe("mine");
    expect((await read(at("link.json"))).type).toBe("external_account");
  });

  describe("explains in one line why it failed, if the cause is", () => {
    test.each<[string, (path: string) => Promise<readonly string[]>, string]>([
      [
        "a directory that is missing",
        async (path) => ["--out", `${path}/no/adc.json`],
        "there is no such directory",
      ],
      [
        "a path through a file",
        async (path) => {
          await writeFile(`${path}/file`, "");
          return ["--out", `${path}/file/adc.json`];
        },
        "part of the path is a file, not a directory",
      ],
      [
        "a directory in its place",
        async (path) => {
          await mkdir(`${path}/adc.json`);
          return ["--out", `${path}/adc.json`, "--force"];
        },
        "it is a directory",
      ],
      [
        "a server that rejects local tokens",
        async (path) => {
          await writeFile(`${path}/off.yaml`, "auth: { localIssuer: false }");
          return ["--config", `${path}/off.yaml`];
        },
        "auth.localIssuer is off",
      ],
      [
        "an unknown port",
        async (path) => {
          await writeFile(`${path}/any.yaml`, "integrityPort: 0");
          return ["--config", `${path}/any.yaml`];
        },
        "integrityPort is 0, so the address is unknown; set --token-url",
      ],
      [
        "a token URL without a scheme",
        async () => ["--token-url", "waybill"],
        "must be an http or https URL",
      ],
      [
        "a token URL of another kind",
        async () => ["--token-url", "file:///x"],
        "must be an http or https URL",
      ],
      ["an empty principal", async () => ["--principal", ""], "It must not be empty."],
      ["a lifetime of 0", async () => ["--ttl", "0s"], "It must be a duration of at least a second"],
      ["an unknown scope", async () => ["--scope", "drive"], "Allowed choices are platform, app-platform."],
    ])("%s", async (_case, prepare, reason) => {
      const path = await testDirectory();
      const args = await prepare(path);
      const before = await readdir(path, { recursive: true });
      const { code, stdout, stderr } = await create(join(path, "new.json"), ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(reason);
      expect(stderr.trimEnd().split("\n").slice(1).join()).toMatch(/^(\(waybill --help .*)?$/);
      // The failure leaves no files behind.
      expect(await readdir(path, { recursive: true })).toEqual(before);
    });

    test("a data directory without write permission", async () => {
      const path = await testDirectory();
      const closed = join(path, "closed");
      await mkdir(closed);
      const { uid, gid } = NOBODY;
      if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
      await chmod(closed, 0o500);
      const place = ["--data-dir", join(path, "data"), "--out", join(closed, "adc.json")];
      const args = ["credentials", "create", "--principal", VIEWER, ...place];
      const { code, stderr } = await waybill(args, undefined, NOBODY);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `waybill: cannot write ${closed}/adc.json: permission denied\n`,
      });
    });
  });
});
