/** What somebody set for the app-attestation of an app; what is left out has its default. */
export interface StoredAppAttestConfig {
  /** How long tokens live. */
  readonly tokenTtl?: { readonly seconds: bigint; readonly nanos: number } | undefined;
}

/** The apps that are registered, and their app-attestation configurations. */
export interface AppAttestConfigStore {
  /**
   * The configuration of an app, empty if nobody set any; undefined if the app is not registered. Each app has an object
   * of its own, and a new one once it was changed.
   *
   * @param project project number, in decimal.
   * @throws StoreUnavailableError if the store cannot be reached.
   */
  find(project: string, appId: string): Promise<StoredAppAttestConfig | undefined>;
}
