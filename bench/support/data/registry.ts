import { EmbeddedRecords } from "#dist/control/embedded/embedded-records.js";
import { type Json, RECORD_KINDS, type RecordChange } from "#dist/control/records.js";
import { systemClock } from "#dist/model/clock.js";
import { appKey, namespaceKey, policyKey, projectIdKey, projectKey } from "#dist/registry/entries.js";
import { countProgress } from "../progress.js";

/** Number of apps, and of members, in each project. */
const APPS = 10;
const MEMBERS = 10;
const TOGETHER = 50;

/** A member of all projects, and a member of the first ten. */
export const EVERYWHERE = "everywhere@example.com";
export const OF_TEN = "of-ten@example.com";

/** Returns a project number by its index. */
export const projectNumber = (index: number): string => String(100_000_000_000 + index);

/** Returns an app id by its index in a project. */
export const appIdOf = (project: string, index: number): string =>
  `1:${project}:ios:${String(index).padStart(16, "0")}`;

/** Writes projects with ten apps and ten members each into a data directory. */
export async function fillRegistry(directory: string, projects: number): Promise<void> {
  const records = await EmbeddedRecords.open(directory, systemClock);
  const report = countProgress(`writing ${projects} projects`, projects);
  for (let first = 0; first < projects; first += TOGETHER) {
    const indexes = Array.from({ length: Math.min(TOGETHER, projects - first) }, (_, index) => first + index);
    await records.change(indexes.flatMap(changesOf));
    report(first + indexes.length);
  }
  await records.close();
}

function changesOf(index: number): readonly RecordChange[] {
  const number = projectNumber(index);
  const id = `project-${index}`;
  const note = { principal: "bench", issuer: "bench", network: "127.0.0.1", method: "CreateProject" };
  const put = (key: string, value: Json) => ({ kind: RECORD_KINDS.registry, key, value, note });
  const reserve = (key: string, value: Json) => ({ kind: RECORD_KINDS.registryName, key, value });
  const members = [EVERYWHERE, ...(index < 10 ? [OF_TEN] : [])];
  while (members.length < MEMBERS) members.push(`member-${index}-${members.length}@example.com`);
  const bindings = [{ role: "roles/owner", members: members.map((member) => `user:${member}`) }];
  const apps = Array.from({ length: APPS }, (_, app) => {
    const namespace = `com.example.app${app}`;
    const values = {
      platform: "ios",
      displayName: `App ${app}`,
      namespace,
      teamId: "",
      appStoreId: "",
      appUrls: [],
    };
    const appId = appIdOf(number, app);
    return [
      put(appKey(number, appId), values),
      reserve(namespaceKey(number, "ios", namespace), { app: appId }),
    ];
  });
  return [
    put(projectKey(number), { id, displayName: `Project ${index}`, createTime: 0 }),
    put(policyKey(number), { bindings }),
    reserve(projectIdKey(id), { project: number }),
    ...apps.flat(),
  ];
}
