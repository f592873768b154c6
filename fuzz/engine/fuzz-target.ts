/** Something that reads from outside, and the properties that hold whatever it reads. */
export interface FuzzTarget {
  /** Names it on the command line, and its folder of the corpus. */
  readonly name: string;
  /** Inputs to start from, valid and nasty ones, besides those of the corpus. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** Words of the language that is read, for mutations to insert. */
  readonly words: readonly string[];
  /** How many inputs a bounded run makes. */
  readonly boundedInputs: number;
  /** Bytes of an input at most; 4 KiB unless given. */
  readonly maxBytes?: number;
  /** Whether what it tests runs in another process, so that no coverage can be had of it. */
  readonly remote?: boolean;
  /** Called once before the first input. */
  start?(): Promise<void>;
  /** Called once after the last input. @throws if a property was broken that shows at the end only. */
  stop?(): Promise<void>;
  /** @throws if a property is broken. */
  run(input: Buffer): void | Promise<void>;
}
