import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isArtifactError } from "../../device/artifacts/errors.ts";
import { isArtifactId } from "../../device/artifacts/store/naming.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { artifactsSetting, metadataOf, originOf, temporaryFolder } from "../artifacts/setting.ts";
import { dataFolder, hasData } from "../data/published.ts";
import { setting } from "../device/actions/setting.ts";
import { quick } from "../rounds.ts";
import { naughtyStrings, Tally } from "./vectors.ts";

const set = "paths/traversal";
const tally = new Tally(set);
const canary = "canary 7c02";

/** Published payloads where they are, with the file they ask for filled in, beside spellings of our own. */
const payloads: readonly string[] = [
  "../secret",
  "..\\secret",
  "/etc/passwd",
  "a/../../secret",
  "link/secret",
  "%2e%2e%2fsecret",
  "..%c0%afsecret",
  ...naughtyStrings,
  ...(hasData && !quick
    ? readFileSync(new URL("paths/traversal.txt", dataFolder), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.replaceAll("{FILE}", "secret"))
    : []),
];

/** A folder with canaries around it: beside it, in one whose name begins with its own, and behind links. */
function surround(root: string): void {
  const outer = join(root, "..");
  for (const folder of ["outside", `${root}-evil`, "etc"])
    mkdirSync(folder.startsWith("/") ? folder : join(outer, folder));
  for (const place of [
    join(outer, "secret"),
    join(outer, "outside/secret"),
    `${root}-evil/secret`,
    join(outer, "etc/passwd"),
  ]) {
    writeFileSync(place, canary);
  }
  symlinkSync("../outside", join(root, "link"));
  symlinkSync("../secret", join(root, "secret.md"));
}

describe("traversal payloads", () => {
  /** A run may make so many calls and no more. */
  const perRun = 1_500;
  const parts = Array.from({ length: Math.ceil(payloads.length / perRun) }, (_, part) => part);

  test.each(parts)(
    "P5: read_project_folder_file and the other actions give nothing from outside, part %s",
    async (part) => {
      const { table, projectId: project_id, root } = setting({ "notes/a.md": "inside\n" });
      surround(root);
      for (const [at, path] of payloads.slice(part * perRun, (part + 1) * perRun).entries()) {
        const read = ["read_project_folder_file", { project_id, relative_path: path }] as const;
        const others = [
          ["read_lines", { project_id, path, startLine: 1, endLine: 2 }],
          ["list_files", { project_id, path }],
          ["grep_files", { project_id, pattern: "canary", paths: [path] }],
        ] as const;
        // What decides about a path is the same for all four.
        for (const [name, input] of [read, ...(at % 40 === 0 ? others : [])]) {
          const result = await table.run(name, input as never);
          expect(JSON.stringify(result), `${name} ${JSON.stringify(path)}`).not.toContain(canary);
          expect(result.text, JSON.stringify(path)).not.toContain("allowance");
          expect(result.error, JSON.stringify(path)).not.toBe("internal");
          tally.add(`${name} ${result.error ?? "answered"}`);
        }
      }
      const inside = await table.run("read_project_folder_file", { project_id, relative_path: "notes/a.md" });
      expect(inside.text).toContain("inside");
    },
    120_000,
  );

  test("artifact ids: none of them is one, none is opened", async () => {
    const root = join(temporaryFolder(), "root");
    mkdirSync(root);
    surround(root);
    const files = new FsProjectFiles(root, { ripgrep: false, durable: false });
    const { artifacts } = artifactsSetting({ files });
    const stored = metadataOf(await artifacts.keep("mine", originOf("call_1")));
    for (const payload of payloads) {
      for (const id of [
        payload,
        `thr_1/${payload}`,
        `${payload}/call_1.txt`,
        `${stored.id}/${payload}`,
        `${stored.id}${payload}`,
      ]) {
        if (id === stored.id) continue;
        const failure = await artifacts.read(id).catch((error: unknown) => error);
        expect(isArtifactError(failure) && failure.code, JSON.stringify(id)).toBe("not_found");
        tally.add(isArtifactId(id) ? "artifact not there" : "artifact id refused");
      }
    }
    expect((await artifacts.read(stored.id)).toString()).toBe("mine");
  }, 240_000);
});
