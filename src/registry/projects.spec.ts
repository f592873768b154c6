import { describe, expect, it } from "vitest";
import { appOfFile, projectOfFile } from "./entries.js";
import { Projects } from "./projects.js";

const project = (number: string, id = `project-${number}`) => projectOfFile({ id, number, apps: [] });

describe("Projects", () => {
  it("finds a project by its id and its number until it is removed", () => {
    const projects = new Projects();
    const added = project("7", "seven");
    projects.setProject(added);
    expect([projects.project("seven"), projects.project("7")]).toEqual([added, added]);
    for (const other of ["Seven", "07", "8", "", "constructor"])
      expect(projects.project(other)).toBeUndefined();
    projects.removeProject("7");
    projects.removeProject("8");
    expect([projects.project("seven"), projects.project("7"), projects.sorted]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it("sorts projects by number, and replaces a project with the same number", () => {
    const projects = new Projects();
    for (const number of ["10", "9", "100"]) projects.setProject(project(number));
    expect(projects.sorted.map(({ number }) => number)).toEqual(["9", "10", "100"]);
    const renamed = { ...project("10"), displayName: "Ten" };
    projects.setProject(renamed);
    expect(projects.sorted[1]).toBe(renamed);
  });

  it("lists the apps of each project in byte order, with their changes", () => {
    const projects = new Projects();
    for (const id of ["\u{10000}", "b", "\uffff", "B"]) projects.setApp(appOfFile("7", { id }));
    projects.setApp(appOfFile("8", { id: "b" }));
    const ids = (number: string) => projects.apps(number).map(({ id }) => id);
    expect([ids("7"), ids("8"), ids("9")]).toEqual([["B", "b", "\uffff", "\u{10000}"], ["b"], []]);
    projects.removeApp("7", "b");
    projects.removeApp("9", "b");
    expect([ids("7"), ids("8")]).toEqual([["B", "\uffff", "\u{10000}"], ["b"]]);
    expect([projects.app("7", "b"), projects.app("8", "b")?.project]).toEqual([undefined, "8"]);
  });
});
