import { expect, test } from "vitest";
import { accessRules } from "../../device/access/policy/rules.ts";
import { fromSystem } from "../../device/files/backends/fs/fs-errors.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import type { ProjectFilesError } from "../../device/files/errors.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import type { FileWalk, WalkOptions } from "../../device/files/walk/walk-types.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { watched } from "./five-file-patch.ts";
import { replacing } from "./in-memory-setting.ts";
import { setting } from "./setting.ts";

const system = (code: string) => fromSystem(Object.assign(new Error(`${code}: it says`), { code }), "a.txt");

test.each([
  ["ENOSPC", "disk_full", "free some space"],
  ["EDQUOT", "disk_full", "free some space"],
  ["EACCES", "no_permission", "change those of the file and its folder"],
  ["EROFS", "no_permission", "Its disk can only be read"],
  ["ENOTDIR", "not_a_directory", "A directory is needed there"],
  ["EIO", "write_failed", "The system says EIO."],
])("a change that the disk refuses with %s says so, and that nothing was changed", async (errno, code, says) => {
  const disk = new InMemoryProjectFiles({ "a.txt": "one\n" }, systemTimeAndIds);
  const { access, session, text } = await setting({}, { files: refusing(disk, system(errno)) });

  const outcome = await access.call(session, "write_file", { path: "a.txt", content: "two\n", mode: "append" });

  expect(outcome).toMatchObject({ ok: false, error: { code } });
  const message = outcome.ok ? "" : outcome.error.message;
  expect(message).toContain(says);
  expect(message.toLowerCase()).toContain("nothing was changed.");
  expect(await text("a.txt")).toBe("one\n");
});

test("a file that the system does not let be read is no matter of the policy, and a search says that it was not looked into", async () => {
  const disk = new Unreadable({ "a.txt": "one\n", "shut.txt": "one as well\n" }, systemTimeAndIds);
  const { access, session } = await setting({}, { files: disk });

  const read = await access.call(session, "read_file", { path: "shut.txt" });
  const found = await access.call(session, "grep_files", { pattern: "one" });

  expect(read).toMatchObject({ ok: false, error: { code: "no_permission" } });
  expect(read.ok ? "" : read.error.message).not.toContain("policy");
  expect(found).toMatchObject({ ok: true, result: { filesMatched: 1 } });
  expect(found.ok ? found.result.notes : []).toEqual([
    expect.stringMatching(/^1 file of the project is not searched: .*permissions/),
  ]);
});

test("a change that is made and recorded is told as made, though the disk has no room to note what the file is now", async () => {
  const store = memoryAccessStore();
  const { access, session, text } = await setting({ "a.txt": "one\n" }, { store });
  const full = () => {
    throw system("ENOSPC");
  };
  Object.assign(store.registry, { put: full });
  const outcome = await access.call(session, "write_file", { path: "a.txt", content: "two\n", mode: "append" });
  // Told as failed it would be tried again, and stand there twice.
  expect(outcome).toMatchObject({ ok: true });
  expect(await text("a.txt")).toBe("one\ntwo\n");
});

/** A folder that may not be listed, and two names that are no text, beside the files. */
class PartlyShut extends InMemoryProjectFiles {
  override walk(options?: WalkOptions): FileWalk {
    const walk = super.walk(options);
    return Object.assign(walk, { omitted: { ...walk.omitted, unreadable: 1, unaddressable: 2 } });
  }
}

test.each([
  ["list_files", {}],
  ["grep_files", { pattern: "one" }],
  ["grep_files", { pattern: "one", paths: [""] }],
] as const)("nothing silent: %s says that there is more than it could look at: %j", async (tool, args) => {
  const { access, session } = await setting({}, { files: new PartlyShut({ "a.txt": "one\n" }, systemTimeAndIds) });
  const outcome = await access.call(session, tool, args);
  expect(outcome).toMatchObject({
    ok: true,
    result: { notes: ["Folders or ignore files that may not be read: 1.", "Names that no path can have: 2."] },
  });
});

test.each([
  ["write_file", { path: "kept.txt", content: "two\n", mode: "truncate" }],
  ["write_file", { path: "kept.txt", content: "two\n", mode: "append" }],
  ["apply_patch", { patch: replacing("kept.txt", "one", "two") }],
  ["apply_patch", { patch: replacing("kept.txt", "one", "two"), dryRun: true }],
  ["apply_patch", { patch: replacing("kept.txt", "one", "two").replace("@@", "*** Move to: moved.txt\n@@") }],
] as const)(
  "%s changes no file that its owner has made read-only, says how to mend it and asks nobody: %j",
  async (tool, args) => {
    const asked: string[] = [];
    const { access, session, text, files } = await setting(
      {},
      {
        approver: { approve: async ({ action }) => asked.push(action) > 0 },
        rules: [accessRules.parse({ otherWrites: "ask" })],
      },
    );
    await files.write("kept.txt", Buffer.from("one\n"), { mode: 0o444 });
    await access.call(session, "read_file", { path: "kept.txt" });

    const outcome = await access.call(session, tool, args);

    expect(outcome).toMatchObject({ ok: false, error: { code: "no_permission" } });
    const message = outcome.ok ? "" : outcome.error.message;
    expect(message).toContain("read-only: make it writable first");
    expect(message).toContain("Nothing was changed.");
    expect(asked).toEqual([]);
    expect(await text("kept.txt")).toBe("one\n");
  },
);

test("a file that was made read-only while a person was asked is left as it is", async () => {
  const { access, session, text, files } = await setting(
    { "kept.txt": "one\n" },
    {
      approver: {
        approve: async () => {
          await files.write("kept.txt", Buffer.from("one\n"), { mode: 0o444 });
          return true;
        },
      },
      rules: [accessRules.parse({ otherWrites: "ask" })],
    },
  );

  const outcome = await access.call(session, "apply_patch", { patch: replacing("kept.txt", "one", "two") });

  expect(outcome).toMatchObject({ ok: false, error: { code: "no_permission" } });
  expect(await text("kept.txt")).toBe("one\n");
});

test("a file that is read-only goes as it is where it is moved, and can be deleted", async () => {
  const { text, files, patch } = await setting({});
  await files.write("kept.txt", Buffer.from("one\n"), { mode: 0o444 });

  const moved = await patch("*** Begin Patch\n*** Update File: kept.txt\n*** Move to: moved.txt\n*** End Patch\n");

  expect(moved).toMatchObject({ success: true });
  expect((await files.metadata("moved.txt")).mode).toBe(0o444);
  expect(await patch("*** Begin Patch\n*** Delete File: moved.txt\n*** End Patch\n")).toMatchObject({ success: true });
  expect(await text("moved.txt")).toBeUndefined();
});

/** Files of which no change is let through. */
const refusing = (files: ProjectFiles, error: ProjectFilesError): ProjectFiles =>
  watched(files, () => {
    throw error;
  });

class Unreadable extends InMemoryProjectFiles {
  override async read(...args: Parameters<InMemoryProjectFiles["read"]>) {
    if (args[0] === "shut.txt") throw system("EACCES");
    return super.read(...args);
  }
}
