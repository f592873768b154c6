export interface Finding {
  readonly state: "ok" | "warning" | "failed";
  /** Subject of the check, such as `disk` or `auth.issuers[0]`. */
  readonly subject: string;
  /** Description of the found state. */
  readonly detail: string;
  /** Way to solve the problem; omitted if there is none. */
  readonly remedy?: string;
}

export const ok = (subject: string, detail: string): Finding => ({ state: "ok", subject, detail });
export const warning = (subject: string, detail: string, remedy: string): Finding => ({
  state: "warning",
  subject,
  detail,
  remedy,
});
export const failed = (subject: string, detail: string, remedy: string): Finding => ({
  state: "failed",
  subject,
  detail,
  remedy,
});
