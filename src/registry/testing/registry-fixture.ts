import { beforeEach } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { principalId } from "../../api/caller.js";
import type { Records } from "../../control/records.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import type { UnixMillis } from "../../model/clock.js";
import type { AuditNote } from "../audit/audit-note.js";
import type { AppValues } from "../entries.js";
import type { RegistryFile } from "../file-entries.js";
import type { Binding } from "../members.js";
import { Registry } from "../registry.js";
import { RegistryChanges } from "../registry-changes.js";

export const AUTHOR: AuditNote = { principal: "ada", issuer: "issuer", network: "192.0.2.1", method: "Test" };
export const FILE: RegistryFile = {
  projects: [
    { id: "of-file", number: "7", apps: [{ id: "app", bundleId: "com.example.file" }] },
    { id: "owned-by-file", number: "8", apps: [] },
  ],
  access: [
    { principal: "reader@example.com", projects: ["of-file"], role: Role.VIEWER },
    { principal: "owner@example.com", projects: ["owned-by-file"], role: Role.OWNER },
  ],
};
export const PURGE_AFTER = 1_000;
export const OWNER = "user:ada@example.com";
export const NEW = { id: "new-project", displayName: "New", owner: OWNER };
export const any = (): void => {};

export const person = (name: string) => ({ name, issuer: "issuer", id: principalId("issuer", name) });
export const valuesOf = (namespace: string, displayName = ""): AppValues => ({
  displayName,
  namespace,
  teamId: "",
  appStoreId: "",
  appUrls: [],
});
export const owners = (...members: string[]): readonly Binding[] => [{ role: "roles/owner", members }];

export interface RegistryUnderTest {
  /** Opens the records in the way another process would. */
  open(): Promise<Records>;
}

export interface Process {
  readonly records: Records;
  readonly registry: Registry;
  readonly changes: RegistryChanges;
}

/** Returns the reason why each call was rejected; `undefined` for calls that succeeded. */
export async function reasonsOf(
  calls: readonly Promise<unknown>[],
): Promise<readonly (string | undefined)[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => {
    if (one.status === "fulfilled") return undefined;
    if (one.reason instanceof ApiError) return one.reason.reason;
    throw one.reason;
  });
}
export const reasonOf = async (call: Promise<unknown>) => (await reasonsOf([call]))[0];

/** An empty registry with the config file {@link FILE} for each test. */
export type RegistryFixture = ReturnType<typeof useRegistry>;

/** Opens an empty registry before each test. */
export function useRegistry(setUp: () => Promise<RegistryUnderTest>) {
  let subject: RegistryUnderTest;
  let now: UnixMillis;
  let one: Process;
  beforeEach(async () => {
    subject = await setUp();
    now = 1_000_000;
    one = await start();
  });

  async function start(file: RegistryFile = FILE, maxStaleness?: number): Promise<Process> {
    const records = await subject.open();
    const registry = await Registry.open(records, file, maxStaleness);
    const clock = { wall: () => now, monotonic: () => now };
    return {
      records,
      registry,
      changes: new RegistryChanges({ registry, clock, purgeAfter: PURGE_AFTER }),
    };
  }
  return {
    get one(): Process {
      return one;
    },
    /** The time of all processes. */
    get now(): UnixMillis {
      return now;
    },
    pass: (milliseconds: number): void => {
      now += milliseconds;
    },
    start,
    processes: (count: number) => Promise.all(Array.from({ length: count }, () => start())),
    /** Opens the registry again, as a restart does. */
    restarted: async () => (await start()).registry,
  };
}
