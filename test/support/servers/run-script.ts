import { execFile } from "node:child_process";

/** Runs a Bash script in a directory. Returns all its output. */
export const runScript = (script: string, directory: string): Promise<string> =>
  new Promise((resolve) => {
    execFile("bash", ["-c", script], { cwd: directory }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
