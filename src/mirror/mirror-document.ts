import { JsonDocument } from "../control/json-document.js";
import { RECORD_KINDS, type Records } from "../control/records.js";
import { byBytes } from "../model/collections.js";
import type { ProjectNumber } from "../model/names.js";
import { FencedError } from "../model/store-error.js";
import {
  type AppMirror,
  type Attempts,
  type Failure,
  NEW_MIRROR,
  type ProjectMirror,
} from "./mirror-state.js";

/**
 * JSON form of {@link ProjectMirror}. Apps are a list of pairs instead of an object, because some possible app ids are
 * special as object keys.
 */
interface Written {
  readonly listing: Attempts;
  readonly pause?: Failure;
  readonly apps: readonly (readonly [appId: string, app: AppMirror])[];
}

/**
 * Stores a project's mirror state as a record. If the record is lost, the mirror starts again, and loses no entries.
 */
export class MirrorDocument {
  readonly #document: JsonDocument<Written>;
  readonly #apps: ReadonlySet<string> | undefined;
  /** The state when it was last read or written, as JSON and as an object. */
  #last: { readonly written: Written | undefined; readonly mirror: ProjectMirror };

  /**
   * @param apps configured apps, if any. The state of other apps is ignored and dropped, because they cannot have gaps.
   */
  constructor(records: Pick<Records, "get" | "change">, project: ProjectNumber, apps?: readonly string[]) {
    this.#document = new JsonDocument(records, RECORD_KINDS.mirror, project);
    this.#apps = apps && new Set(apps);
    this.#last = { written: undefined, mirror: NEW_MIRROR };
  }

  /**
   * Reads the state.
   *
   * @returns the state, with apps sorted by id in byte order. The object stays the same as long as the record does not
   * change.
   * @throws StoreUnavailableError if the record cannot be read; Error if it is damaged.
   */
  async read(): Promise<ProjectMirror> {
    const written = await this.#document.read();
    if (written !== this.#last.written) this.#last = { written, mirror: this.#mirrorOf(written) };
    return this.#last.mirror;
  }

  /**
   * Replaces the state.
   *
   * @throws FencedError if another process has changed the record since it was last read or written. Otherwise, the
   * same errors as {@link read}.
   */
  async write(mirror: ProjectMirror): Promise<void> {
    const written: Written = { ...mirror, apps: [...mirror.apps] };
    await this.#document.change((before) => {
      if (before !== this.#last.written) throw new FencedError("another process now mirrors this project");
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
