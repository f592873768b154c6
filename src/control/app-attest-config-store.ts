/** How long tokens live, in the parts of a `google.protobuf.Duration`. */
export interface TokenTtl {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** What can be set for the app-attestation of an app; what is left out has its default. */
export interface AppAttestConfigValues {
  readonly tokenTtl?: TokenTtl | undefined;
}

/** What somebody set for the app-attestation of an app. */
export interface StoredAppAttestConfig extends AppAttestConfigValues {
  /** How many times it was changed; left out if never, and the values are those that the registry began with. */
  readonly revision?: number | undefined;
}

/** The configuration of an app that has one. */
export interface SetAppAttestConfig {
  readonly appId: string;
  readonly config: StoredAppAttestConfig;
}

/** A change as somebody asks for it. */
export interface AppAttestConfigChange {
  /** Who asks. */
  readonly principal: string;
  /** What the change is about, as ProtoJSON has a field mask, or `*`. */
  readonly updateMask: string;
  /**
   * Makes the new values of the configuration as it is. What it throws refuses the change. It is called again when
   * another change came first.
   */
  valuesAfter(current: StoredAppAttestConfig): AppAttestConfigValues;
}

/** The apps that are registered, and their app-attestation configurations. */
export interface AppAttestConfigStore {
  /** The ids of the apps of a project that are registered, in the order of their bytes. */
  listApps(project: string): Promise<readonly string[]>;

  /**
   * The configuration of an app, empty if nobody set any; undefined if the app is not registered. Each app has an object
   * of its own, and a new one once it was changed.
   *
   * @param project project number, in decimal.
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  find(project: string, appId: string): Promise<StoredAppAttestConfig | undefined>;

  /**
   * The configurations of a project that somebody set, also to what is the default, by app id in bytes.
   *
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  listSet(project: string): Promise<readonly SetAppAttestConfig[]>;

  /**
   * Changes the configuration of an app. Once this resolves the change survives a crash. Changes of one app are made one
   * after the other, in whatever processes they are asked for.
   *
   * @returns the configuration after the change; undefined if the app is not registered.
   * @throws StoreUnavailableError if the change may not have been stored; and what `valuesAfter` throws.
   */
  change(
    project: string,
    appId: string,
    change: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined>;
}
