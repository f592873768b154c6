/** A command failed for a reason that the message explains to the user. The process ends with exit code 1. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
