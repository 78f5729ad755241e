import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { setting, temporaryFolder } from "./setting.ts";

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
const composed = "m\u00fcller";
const decomposed = "mu\u0308ller";

/** Paths that a session lists, and whether it reads the one that is to be kept from it; a walk of a scan says the same. */
async function told(rules: Buffer | string, hidden: string) {
  const root = temporaryFolder();
  mkdirSync(join(root, hidden, ".."), { recursive: true });
  writeFileSync(join(root, hidden), "private\n");
  writeFileSync(join(root, "README.md"), "# Garden\n");
  writeFileSync(join(root, ".scoutsignore"), rules);
  const files = new FsProjectFiles(root, { ripgrep: false });
  const { access, session } = await setting({}, { files });
  const listed = await access.call(session, "list_files", {});
  const read = await access.call(session, "read_file", { path: hidden });
  const walked: string[] = [];
  for await (const { path } of files.walk({ ownIgnoreFile: ".scoutsignore" })) walked.push(path);
  return {
    listed: listed.ok ? listed.result.files.map(({ path }) => path) : [],
    read: read.ok ? "read" : read.error.code,
    walked,
  };
}

describe("a .scoutsignore keeps what it names from models, however it was saved", () => {
  const kept = { listed: [".scoutsignore", "README.md"], read: "denied", walked: [".scoutsignore", "README.md"] };
  test.each([
    ["in UTF-16, as PowerShell writes it", utf16("diary/\r\n"), "diary/may.md"],
    ["in UTF-16, a name with an umlaut", utf16(`${composed}/\r\n`), `${composed}/may.md`],
    [
      "in the charset of old Windows",
      Buffer.from(`# f\u00fcr die Akten\r\n${composed}/\r\n`, "latin1"),
      `${composed}/may.md`,
    ],
    ["in one Unicode form, and the disk has the other", `${composed}/\n`, `${decomposed}/may.md`],
    ["in the other form", `${decomposed}/\n`, `${composed}/may.md`],
    ["in a folder, by a path", `/${composed}/*.md\n`, `${decomposed}/may.md`],
  ])("%s", async (_, rules, hidden) => {
    expect(await told(rules, hidden)).toEqual(kept);
  });

  test("one that is no text closes its folder, until it can be read", async () => {
    const { read, walked } = await told(Buffer.from([0, 1, 2, 3, 0, 255, 254, 0, 7]), "diary/may.md").catch(() => ({
      read: "closed",
      walked: [],
    }));
    expect([read, walked]).toEqual(["closed", []]);
  });
});
