import { readFileSync, writeFileSync } from "node:fs";

/** Peak resident set of a process, since its start or {@link forgetPeak}, in MiB. */
export function peakOf(pid: number): number {
  return statusOf(pid, "VmHWM");
}

/** Resident set of a process in MiB. */
export function residentOf(pid: number): number {
  return statusOf(pid, "VmRSS");
}

/** Resets {@link peakOf} (`man 5 proc_pid_clear_refs`). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function statusOf(pid: number, field: "VmHWM" | "VmRSS"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  if (kib === undefined) throw new Error(`/proc/${pid}/status does not contain ${field}`);
  return Number(kib) / 1024;
}
