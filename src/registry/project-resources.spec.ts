import { beforeEach, describe, expect, it } from "vitest";
import { testDirectory } from "../../test/support/test-directory.js";
import type { EmbeddedRecords } from "../control/embedded/embedded-records.js";
import { eraseRecords } from "../control/erase-records.js";
import { PROJECT_KINDS, RECORD_KINDS } from "../control/records.js";
import { testRecords } from "../control/testing/test-records.js";
import { auditedResources, ProjectResources } from "./project-resources.js";

const NOTE = { principal: "ada@example.com", issuer: "issuer", network: "192.0.2.1", method: "Create" };
const COLLECTION = { kind: RECORD_KINDS.annotation, name: "notes", maximum: 3 };

interface Note {
  readonly text: string;
}

let records: EmbeddedRecords;
let notes: ProjectResources<Note>;
beforeEach(async () => {
  records = await testRecords(await testDirectory());
  notes = new ProjectResources<Note>(records, COLLECTION);
});

const create = (id: string, project = "7") => notes.create(project, id, { text: id }, NOTE);
const idsOf = async (project = "7") => (await notes.list(project)).map(({ id }) => id);

describe("project resources", () => {
  it("are listed by id, without resources of other projects", async () => {
    await create("b");
    await create("a");
    await create("c", "71");
    expect(await notes.list("7")).toMatchObject([
      { id: "a", name: "projects/7/notes/a", value: { text: "a" } },
      { id: "b", name: "projects/7/notes/b", value: { text: "b" } },
    ]);
    expect(await idsOf("8")).toEqual([]);
  });

  it("keep to the maximum number, also if created at the same time", async () => {
    const results = await Promise.allSettled(["a", "b", "c", "d", "e"].map((id) => create(id)));
    const reasons = results.flatMap((result) =>
      result.status === "rejected" ? [[result.reason.reason, result.reason.message]] : [],
    );
    expect(reasons).toEqual(
      Array(2).fill([
        "TOO_MANY_RESOURCES",
        "projects/7 has 3 notes, the maximum. Delete one before you create another.",
      ]),
    );
    const [first = ""] = await idsOf();
    await notes.delete("7", first, "", NOTE);
    await create("f");
    expect(await idsOf()).toHaveLength(3);
    await expect(create("g")).rejects.toMatchObject({ reason: "TOO_MANY_RESOURCES" });
  });

  it("change only with their current etag", async () => {
    const { etag } = await create("a");
    const change = (tag: string, text: string) => notes.update("7", "a", tag, () => ({ text }), NOTE);
    const changed = await change(etag, "new");
    expect(changed).toMatchObject({ value: { text: "new" } });
    await expect(change(etag, "newer")).rejects.toMatchObject({ reason: "ETAG_MISMATCH" });
    await expect(notes.delete("7", "a", etag, NOTE)).rejects.toMatchObject({ reason: "ETAG_MISMATCH" });
    expect(await notes.get("7", "a")).toEqual(changed);
    expect((await change("", "newest")).value).toEqual({ text: "newest" });
  });

  it("lose no change if changed at the same time", async () => {
    await create("a");
    const add = () => notes.update("7", "a", "", ({ text }) => ({ text: `${text}+` }), NOTE);
    await Promise.all([add(), add(), add()]);
    expect((await notes.get("7", "a")).value.text).toBe("a+++");
  });

  it("cannot be created twice, or read after their deletion", async () => {
    await create("a");
    await expect(create("a")).rejects.toMatchObject({ reason: "RESOURCE_ALREADY_EXISTS" });
    expect(await notes.delete("7", "a", "", NOTE)).toMatchObject({ value: { text: "a" } });
    const missing = { reason: "RESOURCE_NOT_FOUND" };
    await expect(notes.get("7", "a")).rejects.toMatchObject(missing);
    await expect(notes.delete("7", "a", "", NOTE)).rejects.toMatchObject(missing);
    await expect(notes.update("7", "a", "", (before) => before, NOTE)).rejects.toMatchObject(missing);
  });

  it("leave their changes in the history, with etags", async () => {
    const { etag } = await create("a");
    await notes.delete("7", "a", etag, { ...NOTE, method: "Delete" });
    const audited = auditedResources<Note>(COLLECTION, ({ text }) => ({ text }));
    const history = await records.history({ kinds: [COLLECTION.kind], limit: 10 });
    expect(history.map(({ key, note }) => [audited.resourceOf(key), note])).toEqual([
      ["projects/7/notes/a", NOTE],
      ["projects/7/notes/a", { ...NOTE, method: "Delete", etagBefore: etag }],
    ]);
    expect(history.map(audited.etagOf)[0]).toBe(etag);
  });

  it("are erased with their project, and their number too", async () => {
    for (const id of ["a", "b", "c"]) await create(id);
    while (!(await eraseRecords(records, PROJECT_KINDS, "7")));
    for (const id of ["d", "e", "f"]) await create(id);
    expect(await idsOf()).toEqual(["d", "e", "f"]);
  });
});
