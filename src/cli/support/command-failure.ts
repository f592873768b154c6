/** A command cannot do what it was asked; the message tells a person why. The process ends with exit code 1. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}
