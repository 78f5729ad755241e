import { mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalSystem } from "../../../cli/up/system.ts";
import { asWord } from "../../../device/shell-words.ts";
import { quick, whole } from "../../rounds.ts";
import { scouts, summaryIn } from "../program.ts";
import { noisePicture } from "./noise-picture.ts";
import { about, type FolderHome, folderSetting, numbered, startFolderHome } from "./setting.ts";

const timeoutMs = 240_000;

/** For the tests that leave it as it was but for their project. */
let home: FolderHome;
beforeAll(async () => {
  home = await startFolderHome();
}, timeoutMs);
afterAll(() => home.close(), timeoutMs);

test(
  "a folder is linked from the command line; a second scan sends nothing, a changed file is sent alone, a moved one not",
  async () => {
    const texts = {
      ...numbered(12),
      "src/main.ts": "export const answer = 42;",
      "long.txt": "Once upon a time there was a very long text. ".repeat(4_000),
      "picture.xyz": "of no type that is read",
    };
    const { project, scan, summaries, asked, write, root } = await folderSetting(texts, home);
    const linked = await scan("link", "papers", root);
    expect(linked).toMatchObject({ status: "completed", reason: null, summarized: 14, failed: 0, tokensUsed: 140 });
    expect(await summaries()).toMatchObject({ "000.md": "This is 000.md.", "src/main.ts": "This is main.ts." });
    expect(asked.toSorted()).toEqual([...Object.keys(numbered(12)), "long.txt", "main.ts"]);

    expect(await scan("rescan", "Papers")).toMatchObject({ status: "completed", newFiles: [], summarized: 0 });
    expect(asked).toHaveLength(14);

    write("003.md", "Something else.");
    expect(await scan("rescan", "Papers")).toMatchObject({ changedFiles: ["003.md"], summarized: 1, tokensUsed: 10 });
    expect(asked.slice(14)).toEqual(["003.md"]);

    renameSync(path.join(root, "004.md"), path.join(root, "src", "moved.md"));
    rmSync(path.join(root, "005.md"));
    const moved = { from: "004.md", to: "src/moved.md" };
    const third = await scan("rescan", "Papers");
    expect(third).toMatchObject({ renamedFiles: [moved], deletedFiles: ["005.md"], summarized: 0 });
    expect(asked).toHaveLength(15);
    expect(await summaries()).toMatchObject({ "src/moved.md": "This is 004.md." });

    // A project has one folder: what another one took the place of is said, and how to go back.
    const other = path.join(path.dirname(root), "other");
    mkdirSync(other);
    const replacing = await project("link", "Papers", other);
    expect(replacing.stdout).toContain(`in place of ${root}`);
    expect(replacing.stdout).toContain(`scouts project link Papers ${asWord(root)}`);
    const back = await project("link", "Papers", root, "--json");
    expect(JSON.parse(back.stdout)).toMatchObject({ status: "completed", replaced: other });

    const { stdout, code } = await project("list", "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, [{ name: "Papers", folderPath: root, folderTotalFiles: 13 }]]);
    expect(await project("unlink", "Papers")).toMatchObject({ code: 0, stdout: `unlinked  ${root}\n` });
    expect(await project("files", "Papers")).toMatchObject({ code: 5, stdout: "" });
    expect(await project("rescan", "Papers")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("folder_not_linked"),
    });
  },
  timeoutMs,
);

/** Keys of what waits in the transit bucket. */
async function objectsIn({ home }: LocalSystem): Promise<string[]> {
  const { region, credentials, endpoints } = home.operator;
  const client = new S3Client({ region, credentials, endpoint: endpoints.s3, forcePathStyle: true });
  const [bucket] = Object.values(home.graph.buckets);
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket?.bucketName }));
  client.destroy();
  return Contents.map(({ Key }) => Key ?? "");
}

test.skipIf(quick)(
  "what is too large for a frame travels as an upload, and nothing of it stays behind",
  async () => {
    const { scan, root, system, summaries, write } = await folderSetting({ "a.md": "Words." }, home);
    for (const n of [1, 2]) write(`${n}.png`, noisePicture(n));
    expect(await scan("link", "Papers", root)).toMatchObject({ status: "completed", summarized: 3 });
    expect(await summaries()).toMatchObject({ "1.png": "This is 1.png.", "2.png": "This is 2.png." });
    await system.home.whenIdle();
    expect(system.home.requests().operations).toMatchObject({
      "s3:PostObject": 2,
      "s3:DeleteObjects": expect.any(Number),
    });
    expect(await objectsIn(system)).toEqual([]);
  },
  timeoutMs,
);

test.skipIf(quick)(
  "a person is shown what was found, what was left out and why; a folder that is gone is said to be",
  async () => {
    const setting = await folderSetting({ "a.md": "Words.", "b.xyz": "?", "empty.txt": "", ".env": "KEY=1" }, home);
    const { project, root, write } = setting;
    const linked = await project("link", "Papers", root);
    expect(linked.code, linked.stderr).toBe(0);
    expect(linked.stdout).toMatch(/^Papers: 1 new, .*; 1 summarised, 10 tokens\n/);
    expect(linked.stdout).toContain("left out: 1 of a type that is not read (1 .xyz)");
    expect(linked.stdout).toContain("left out: 1 made to hold credentials");
    expect(linked.stdout).toContain("left out: 1 empty");
    expect(linked.stderr).toMatch(/Summarising .*1\/1/);

    setting.reply(() => ({ content: "no JSON" }));
    write("c.md", "More words.");
    expect((await project("rescan", "Papers")).stdout).toContain("1 failed; the next scan tries again");
    const failed = await project("files", "Papers", "--state", "failed");
    expect(failed.stdout).toMatch(/failed +error.*c\.md +failed: The language model.*\(model_answer_invalid\)/);
    setting.reply(about);
    expect((await project("rescan", "Papers")).stdout).toContain("1 summarised");

    const files = await project("files", "Papers", "--kind", "text", "--limit", "1");
    expect(files.stdout).toMatch(/current +text\S* +6 B +now +a\.md +This is a\.md\.\n1 of 2 files/);

    renameSync(root, `${root}-gone`);
    const gone = await project("rescan", "Papers");
    expect(gone).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/Folder not found: .*documents-[\w-]+\..*link it.*unlink/i),
    });
    expect((await project("list")).stdout).toMatch(/error +3 .*\n.*Papers: Folder not found/);
    const again = await setting.scan("link", "Papers", `${root}-gone`);
    expect(again).toMatchObject({ status: "completed", summarized: 0 });
  },
  timeoutMs,
);

// Of a change, test/device/indexer/ holds which folders are due and that they are rescanned.
test.skipIf(!whole)(
  "`scouts up --once` rescans folders that are due before it ends",
  async () => {
    const setting = await folderSetting(numbered(3));
    const { system, root, asked, write, dataFolder, mailFolder, model } = setting;
    await setting.scan("link", "Papers", root);
    const [project] = system.store.projects.list();
    if (project !== undefined) system.store.localScouts.put(project.id, { rescanEveryMs: 0 });
    await system.stop();
    write("news.md", "News.");

    const up = ["up", "--once", "--json", "--mailbox", mailFolder, "--data", dataFolder];
    const ended = await scouts(up, model.environment);

    expect(ended.code, ended.stderr).toBe(0);
    expect(summaryIn(ended).folders).toEqual({ scanned: 1, summarized: 1, failed: 0, tokens: 10 });
    expect(ended.stderr).toContain("Papers: 1 new");
    expect(asked.at(-1)).toBe("news.md");
    expect((await setting.summaries())["news.md"]).toBe("This is news.md.");
  },
  timeoutMs,
);

test.skipIf(quick)(
  "without a home, linking says so and changes nothing",
  async () => {
    const setting = await folderSetting({ "a.md": "Words." });
    await setting.system.stop();
    const { code, stderr } = await setting.project("link", "Papers", setting.root);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/\(home_not_running\)\n$/)]);
    expect(JSON.parse((await setting.project("list", "--json")).stdout)).toMatchObject([{ folderPath: null }]);
  },
  240_000,
);
