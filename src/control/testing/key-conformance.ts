import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KeyStore } from "../key-store.js";

/** Keys under test. */
export interface KeysUnderTest {
  /** Opens the keys as another process would. */
  open(): KeyStore;
  /** Removes everything. */
  dispose(): Promise<void>;
}

/** Tests of keys, for any implementation. */
export function describeKeyStore(name: string, setUp: () => Promise<KeysUnderTest>): void {
  describe(name, () => {
    let subject: KeysUnderTest;
    beforeEach(async () => {
      subject = await setUp();
    });
    afterEach(() => subject.dispose());

    const never = (): string => {
      throw new Error("the secret was made again");
    };

    it("makes a secret once, and returns it from then on", async () => {
      const secret = await subject.open().secret("a.key", () => "s3cret");
      expect(secret.text).toBe("s3cret");
      expect(secret.place).toContain("a.key");
      for (const keys of [subject.open(), subject.open()]) {
        expect(await keys.secret("a.key", never)).toEqual(secret);
      }
    });

    it("keeps secrets of different names apart", async () => {
      const keys = subject.open();
      for (const name of ["a", "b", "a.b"]) await keys.secret(name, () => `secret of ${name}`);
      for (const name of ["a", "b", "a.b"]) {
        expect((await keys.secret(name, never)).text).toBe(`secret of ${name}`);
      }
    });

    it("gives the same secret to all that make it at the same time", async () => {
      const secrets = await Promise.all(
        Array.from({ length: 20 }, (_, i) => subject.open().secret("a", () => `secret ${i}`)),
      );
      expect(new Set(secrets.map(({ text }) => text)).size).toBe(1);
      expect(await subject.open().secret("a", never)).toEqual(secrets[0]);
    });

    it("keeps nothing of a secret that could not be made", async () => {
      await expect(subject.open().secret("a", never)).rejects.toThrow("the secret was made again");
      expect((await subject.open().secret("a", () => "later")).text).toBe("later");
    });
  });
}
