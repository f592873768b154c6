/** Descriptions of system error codes that users can fix. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EADDRINUSE: "the address is in use by another process",
  EADDRNOTAVAIL: "this machine does not have the address",
  EDQUOT: "the disk quota is used up",
  EEXIST: "it already exists",
  EFBIG: "the file would be too large",
  EISDIR: "it is a directory",
  ELOOP: "it has too many symbolic links",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "there is no such file or directory",
  ENOSPC: "the disk is full",
  ENOTDIR: "part of the path is a file, not a directory",
  ENOTFOUND: "there is no such host",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};

/** Descriptions of error codes that have a special meaning for `mkdir`. */
const MKDIR_REASONS: Readonly<Record<string, string>> = {
  EEXIST: "it is not a directory",
  ENOENT: "a directory cannot be created there",
};

/** Describes the reason for a system error. Returns `undefined` for other errors. */
export function systemReason(error: unknown): string | undefined {
  const { code, syscall } = Object(error) as NodeJS.ErrnoException;
  if (typeof code !== "string" || !Object.hasOwn(REASONS, code)) return undefined;
  return (syscall === "mkdir" ? MKDIR_REASONS[code] : undefined) ?? REASONS[code];
}

/** Returns true if an error has one of these codes, such as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && codes.includes(String((error as NodeJS.ErrnoException).code));

/** Properties of a system error that identify the file or address. */
interface Subject {
  readonly path?: string;
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

/** Describes a system error, with its file or address and the reason. Returns `undefined` for other errors. */
export function systemProblem(error: unknown): string | undefined {
  const reason = systemReason(error);
  if (reason === undefined) return undefined;
  const { path, hostname, address, port } = Object(error) as Subject;
  const subject = path ?? hostname ?? (port === undefined ? address : `${address}:${port}`);
  return subject === undefined ? reason : `${subject}: ${reason}`;
}
