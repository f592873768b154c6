import { byBytes } from "../model/by-bytes.js";
import type { SetAppAttestConfig, StoredAppAttestConfig, TokenTtl } from "./app-attest-config-store.js";
import { ChangeHistory } from "./file/change-history.js";
import type { ChangeRecord } from "./file/change-record.js";
import type { RegisteredProject } from "./project-registry.js";

/** A registered value that a change has overridden. */
export interface OverriddenValue {
  readonly registered: TokenTtl;
  readonly change: ChangeRecord;
}

/** The app-attestation configurations of the registered apps with the changes made to them, in memory. */
export class ChangedConfigs {
  readonly #projects: readonly RegisteredProject[];
  readonly #history = new ChangeHistory();
  /** Configurations of the registered apps, by project number and app id. */
  readonly #configs = new Map<string, StoredAppAttestConfig>();
  /** The app ids of each project, by project number, in byte order. */
  readonly #appIds = new Map<string, readonly string[]>();

  /** @param projects the registry, with the values that apply until they are changed. */
  constructor(projects: readonly RegisteredProject[]) {
    this.#projects = projects;
    for (const { number, apps } of projects) {
      this.#appIds.set(number, apps.map(({ id }) => id).sort(byBytes));
      for (const app of apps) this.#configs.set(`${number}/${app.id}`, app.appAttestConfig ?? {});
    }
  }

  /**
   * Adds the next change, if it takes effect.
   *
   * @returns true if it does, even if its app is not registered: it may be registered again.
   */
  add(change: ChangeRecord): boolean {
    if (!this.#history.add(change)) return false;
    const { project, appId, tokenTtl, revision } = change;
    const name = `${project}/${appId}`;
    if (this.#configs.has(name)) this.#configs.set(name, { tokenTtl, revision });
    return true;
  }

  /** The last change of an app that took effect. */
  latest(project: string, appId: string): ChangeRecord | undefined {
    return this.#history.latest(project, appId);
  }

  listApps(project: string): readonly string[] {
    return this.#appIds.get(project) ?? [];
  }

  find(project: string, appId: string): StoredAppAttestConfig | undefined {
    return this.#configs.get(`${project}/${appId}`);
  }

  listSet(project: string): readonly SetAppAttestConfig[] {
    return this.listApps(project).flatMap((appId) => {
      const config = this.find(project, appId);
      return config?.tokenTtl === undefined && config?.revision === undefined ? [] : [{ appId, config }];
    });
  }

  /** Lists the registered values that changes have overridden with other values. */
  overridden(): OverriddenValue[] {
    return this.#projects.flatMap(({ number, apps }) =>
      apps.flatMap(({ id, appAttestConfig }) => {
        const registered = appAttestConfig?.tokenTtl;
        const change = this.latest(number, id);
        if (registered === undefined || change === undefined) return [];
        return isSame(registered, change.tokenTtl) ? [] : [{ registered, change }];
      }),
    );
  }
}

function isSame(a: TokenTtl, b: TokenTtl | undefined): boolean {
  return a.seconds === b?.seconds && a.nanos === b.nanos;
}
