import type { DocumentStore } from "../../control/document-store.js";
import { JsonDocument } from "../../control/json-document.js";
import {
  type AppMirror,
  type Attempts,
  type Failure,
  NEW_MIRROR,
  type ProjectMirror,
} from "./mirror-state.js";

/** {@link ProjectMirror} in JSON. App ids are no keys of an object: any text can be one. */
interface Written {
  readonly listing: Attempts;
  readonly pause?: Failure;
  readonly apps: readonly (readonly [appId: string, app: AppMirror])[];
}

/** The document that keeps what is known of the mirror of a project. Without it, a mirror begins anew, and loses nothing. */
export class MirrorDocument {
  readonly #document: JsonDocument<Written>;
  readonly #apps: ReadonlySet<string> | undefined;

  /**
   * @param project project number, in decimal.
   * @param apps the apps to mirror, if the configuration names them: others are forgotten, and are no gaps.
   */
  constructor(documents: DocumentStore, project: string, apps?: readonly string[]) {
    this.#document = new JsonDocument(documents, `mirror.${project}`);
    this.#apps = apps && new Set(apps);
  }

  /** @throws StoreUnavailableError if it cannot be read; Error if it is damaged. */
  async read(): Promise<ProjectMirror> {
    const written = await this.#document.read();
    if (written === undefined) return NEW_MIRROR;
    const apps = written.apps.filter(([appId]) => this.#apps?.has(appId) ?? true);
    return { ...written, apps: new Map(apps) };
  }

  /** Replaces it. @throws as {@link read}. */
  write(mirror: ProjectMirror): Promise<void> {
    return this.#document.change(() => ({ ...mirror, apps: [...mirror.apps] }));
  }
}
