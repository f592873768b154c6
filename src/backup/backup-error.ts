/** A backup cannot be made, read or restored, for a reason that the message states in one line. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
