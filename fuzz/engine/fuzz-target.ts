/** A reader of external input, with the properties that hold for every input. */
export interface FuzzTarget {
  /** Name on the command line and of the corpus folder. */
  readonly name: string;
  /** Valid and tricky inputs to start from, in addition to the corpus. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Words of the input's language that mutations insert. */
  readonly words: readonly (string | Uint8Array)[];
  readonly boundedInputs: number;
  /** Maximum size of an input in bytes; 4 KiB by default. */
  readonly maxBytes?: number;
  /** True if the tested code runs in another process, where coverage is not available. */
  readonly remote?: boolean;
  /** Called once before the first input. */
  start?(): Promise<void>;
  /** Called once after the last input. @throws if a property is violated that shows only at the end. */
  stop?(): Promise<void>;
  /** @throws if a property is violated. */
  run(input: Buffer): void | Promise<void>;
}
