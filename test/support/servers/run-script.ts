import { execFile } from "node:child_process";

/** Runs a script of Bash in a directory; returns all that it prints. */
export const runScript = (script: string, directory: string): Promise<string> =>
  new Promise((resolve) => {
    execFile("bash", ["-c", script], { cwd: directory }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
