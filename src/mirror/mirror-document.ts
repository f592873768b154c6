import { JsonDocument } from "../control/json-document.js";
import { RECORD_KINDS, type Records } from "../control/records.js";
import { byBytes } from "../model/collections.js";
import { FencedError } from "../model/store-error.js";
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
  /** The document as last read, and what it says. */
  #last: { readonly written: Written | undefined; readonly mirror: ProjectMirror };

  /**
   * @param project project number, in decimal.
   * @param apps the apps to mirror, if the configuration names them: others are forgotten, and are no gaps.
   */
  constructor(records: Pick<Records, "get" | "change">, project: string, apps?: readonly string[]) {
    this.#document = new JsonDocument(records, RECORD_KINDS.mirror, project);
    this.#apps = apps && new Set(apps);
    this.#last = { written: undefined, mirror: NEW_MIRROR };
  }

  /**
   * @returns what the document says, the same object as long as that is the same; apps are in byte order of their ids.
   * @throws StoreUnavailableError if it cannot be read; Error if it is damaged.
   */
  async read(): Promise<ProjectMirror> {
    const written = await this.#document.read();
    if (written !== this.#last.written) this.#last = { written, mirror: this.#mirrorOf(written) };
    return this.#last.mirror;
  }

  /**
   * Replaces it.
   *
   * @throws FencedError if another process has changed it since it was last read or written; otherwise as {@link read}.
   */
  async write(mirror: ProjectMirror): Promise<void> {
    const written: Written = { ...mirror, apps: [...mirror.apps] };
    await this.#document.change((before) => {
      if (before !== this.#last.written) throw new FencedError("another process mirrors this project now");
      return written;
    });
    this.#last = { written, mirror: this.#mirrorOf(written) };
  }

  #mirrorOf(written: Written | undefined): ProjectMirror {
    if (written === undefined) return NEW_MIRROR;
    const apps = written.apps.filter(([appId]) => this.#apps?.has(appId) ?? true);
    return { ...written, apps: new Map(apps.sort(([a], [b]) => byBytes(a, b))) };
  }
}
