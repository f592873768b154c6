import type { Logger } from "pino";
import { StoreUnavailableError } from "../model/store-error.js";
import type { Registry } from "../registry/registry.js";
import { type Authorization, registryFile } from "./access/authorization.js";
import { keysForRestart, mirrorsForRestart, reloadedChanges } from "./config/config-changes.js";
import { fileProblems } from "./config/config-files.js";
import type { Config } from "./config/config-schema.js";
import { ConfigError } from "./config/config-values.js";
import { unknownProjects } from "./config/unknown-projects.js";

export interface ConfigReloadParts {
  /** The config with which the server started. */
  readonly config: Config;
  readonly registry: Registry;
  readonly authorization: Pick<Authorization, "prepareIssuers">;
  /**
   * Checks that the stored delivery data of some projects comes from the source in their config.
   *
   * @throws ConfigError if it does not.
   */
  readonly expectSources: (projects: Config["projects"], isChanged: IsChanged) => Promise<void>;
  /** Logs each value of the new file that a stored change overrides. */
  readonly warnOfOverridden: () => Promise<void>;
  readonly logger: Logger;
}

/** Returns true if a project is new, or its source has changed. */
type IsChanged = (project: Config["projects"][number]) => boolean;

const REJECTED = "cannot reload the config file; the previous configuration stays in use";

/**
 * Applies changes of the config file to a running server: projects, access rules and issuers. Changes of other keys
 * need a restart. If the file is invalid, nothing changes.
 */
export class ConfigReload {
  readonly #parts: ConfigReloadParts;
  /** The config, including all applied changes. */
  #current: Config;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: ConfigReloadParts) {
    this.#parts = parts;
    this.#current = parts.config;
  }

  /**
   * Reloads the config when earlier reloads have ended. Problems are logged; the promise never rejects.
   *
   * @param load reads and validates the file.
   */
  run(load: () => Promise<Config>): Promise<void> {
    this.#last = this.#last.then(() => this.#run(load));
    return this.#last;
  }

  async #run(load: () => Promise<Config>): Promise<void> {
    const { config: running, logger } = this.#parts;
    let loaded: Config;
    try {
      loaded = await load();
      await this.#apply(loaded);
    } catch (error) {
      if (!(error instanceof ConfigError) && !(error instanceof StoreUnavailableError)) {
        logger.error({ err: error }, REJECTED);
        return;
      }
      for (const problem of error.message.split("\n")) logger.error({ problem }, REJECTED);
      return;
    }
    const changes = reloadedChanges(this.#current, loaded);
    this.#current = loaded;
    const isChanged = Object.keys(changes).length > 0;
    logger.info(changes, isChanged ? "reloaded the config file" : "reloaded the config file without changes");
    warnOfUnknownProjects(loaded, this.#parts);
    await this.#parts.warnOfOverridden().catch((error: unknown) => {
      logger.warn({ err: error }, "cannot compare the config file with stored changes");
    });
    const keys = keysForRestart(running, loaded);
    if (keys.length > 0) logger.warn({ keys }, "changes to these config keys need a restart");
    const projects = mirrorsForRestart(running, loaded);
    if (projects.length > 0) logger.warn({ projects }, "changed mirrors of these projects need a restart");
  }

  /**
   * Applies a loaded config.
   *
   * @throws ConfigError or StoreUnavailableError if it cannot be applied. Nothing has changed then.
   */
  async #apply(loaded: Config): Promise<void> {
    const { config: running, registry, authorization, expectSources } = this.#parts;
    const problems = await fileProblems(loaded);
    if (problems.length > 0) throw new ConfigError(problems.join("\n"));
    const sources = sourcesOf(this.#current);
    await expectSources(
      loaded.projects,
      ({ number, deliveryData }) => sources.get(number) !== deliveryData.source,
    );
    const { projects, access, auth } = loaded;
    const applied = { ...running, projects, access, auth: { ...running.auth, issuers: auth.issuers } };
    const trustIssuers = await authorization.prepareIssuers(auth.issuers);
    await registry.refresh();
    try {
      registry.setFile(registryFile(applied));
    } catch (cause) {
      throw new ConfigError((cause as Error).message, { cause });
    }
    trustIssuers();
  }
}

/** Warns of references to projects that neither the config file nor the registry has. */
export function warnOfUnknownProjects(
  config: Config,
  { registry, logger }: Pick<ConfigReloadParts, "registry" | "logger">,
): void {
  for (const problem of unknownProjects(config, (name) => registry.projectEvenDeleted(name) !== undefined))
    logger.warn({ problem }, "the config file refers to an unknown project");
}

const sourcesOf = ({ projects }: Config): ReadonlyMap<string, string> =>
  new Map(projects.map(({ number, deliveryData }) => [number, deliveryData.source]));
