/** Lifetime of tokens, in the parts of a `google.protobuf.Duration`. */
export interface TokenTtl {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** Settings of an app's app-attestation; a missing one has its default. */
export interface AppAttestConfigValues {
  readonly tokenTtl?: TokenTtl | undefined;
}

/** The stored configuration of an app. */
export interface StoredAppAttestConfig extends AppAttestConfigValues {
  /** Number of changes so far; missing before the first, when the values are those of the registry. */
  readonly revision?: number | undefined;
}

/** An app with its stored configuration. */
export interface SetAppAttestConfig {
  readonly appId: string;
  readonly config: StoredAppAttestConfig;
}

/** A requested change of a configuration. */
export interface AppAttestConfigChange {
  /** Name of the caller. */
  readonly principal: string;
  /** The update mask in ProtoJSON form, or `*`. */
  readonly updateMask: string;
  /**
   * Returns the new values, given the current configuration. An error that it throws refuses the change.
   * Called again when another change came first.
   */
  valuesAfter(current: StoredAppAttestConfig): AppAttestConfigValues;
}

/** The registered apps and their app-attestation configurations. */
export interface AppAttestConfigStore {
  /** The ids of a project's registered apps, in byte order. */
  listApps(project: string): Promise<readonly string[]>;

  /**
   * The configuration of an app, empty if it was never set; `undefined` if the app is not registered. Each
   * app has its own object, and a change replaces that object.
   *
   * @param project project number, in decimal.
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  find(project: string, appId: string): Promise<StoredAppAttestConfig | undefined>;

  /**
   * The configurations of a project that were set, even to the default, in byte order of app ids.
   *
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  listSet(project: string): Promise<readonly SetAppAttestConfig[]>;

  /**
   * Changes the configuration of an app. The change survives a crash once this resolves. Changes of one app
   * are serialized, across all processes.
   *
   * @returns the configuration after the change; `undefined` if the app is not registered.
   * @throws StoreUnavailableError if the change may not have been stored, or the error that `valuesAfter`
   * throws.
   */
  change(
    project: string,
    appId: string,
    change: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined>;
}
