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

/**
 * JSON form of {@link ProjectMirror}. Apps are pairs, because any text can be an app id and some texts are special as
 * object keys.
 */
interface Written {
  readonly listing: Attempts;
  readonly pause?: Failure;
  readonly apps: readonly (readonly [appId: string, app: AppMirror])[];
}

/** Stores mirror state of a project. Without the document, a mirror starts again and loses no entries. */
export class MirrorDocument {
  readonly #document: JsonDocument<Written>;
  readonly #apps: ReadonlySet<string> | undefined;
  /** The document as last read or written, in both forms. */
  #last: { readonly written: Written | undefined; readonly mirror: ProjectMirror };

  /**
   * @param project project number, in decimal.
   *
   * @param apps apps to mirror, if configured. The state of other apps is ignored and dropped: they have no gaps.
   */
  constructor(records: Pick<Records, "get" | "change">, project: string, apps?: readonly string[]) {
    this.#document = new JsonDocument(records, RECORD_KINDS.mirror, project);
    this.#apps = apps && new Set(apps);
    this.#last = { written: undefined, mirror: NEW_MIRROR };
  }

  /**
   * @returns the state, with apps in byte order of their ids. The same object as long as the document does not change.
   *
   * @throws StoreUnavailableError if it cannot be read; Error if it is damaged.
   */
  async read(): Promise<ProjectMirror> {
    const written = await this.#document.read();
    if (written !== this.#last.written) this.#last = { written, mirror: this.#mirrorOf(written) };
    return this.#last.mirror;
  }

  /**
   * Replaces the document.
   *
   * @throws FencedError if another process has changed it since it was last read or written. Otherwise, the same errors as {@link read}.
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
