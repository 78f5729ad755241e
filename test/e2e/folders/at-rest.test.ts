import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkFolder } from "../../../device/folders/indexer/link-folder.ts";
import { rescanProject } from "../../../device/folders/indexer/rescan-project.ts";
import { ownContent } from "../../own-content.ts";
import { type CanarySystem, startCanarySystem } from "../../privacy/canary-system.ts";
import type { Finding } from "../../privacy/scan/scanner.ts";
import { writeMail } from "../mail.ts";
import { noisePicture } from "./noise-picture.ts";

const fileCount = 30;

describe("P1: of a linked folder nothing readable is at rest in the cloud", () => {
  let running: CanarySystem;
  let midway: Finding[];
  let afterwards: Finding[];
  let inFiles: Finding[];
  let summaries: string;
  const shown: string[] = [];

  beforeAll(async () => {
    running = await startCanarySystem((mailFolder) => writeMail(mailFolder, [0]));
    const { system, canaries, dataFolder } = running;
    const root = path.join(dataFolder, "..", canaries.plant("name of the folder"));
    mkdirSync(root);
    for (let n = 0; n < fileCount; n += 1) {
      const text = canaries.plant("text of a file");
      shown.push(text);
      writeFileSync(path.join(root, `${canaries.plant("name of a file")}.md`), `# ${text}\n\nAll about ${text}.\n`);
    }
    writeFileSync(path.join(root, `${canaries.plant("name of a picture")}.png`), noisePicture(1));
    const { id: projectId } = system.store.projects.add(canaries.plant("name of a project"));
    const { store, api } = system;
    const content = ownContent(store, api);

    const abort = new AbortController();
    const onProgress = ({ phase }: { phase: string }) => phase === "summarize" && abort.abort();
    await linkFolder({ store, api, projectId, folderPath: root, ...content, signal: abort.signal, onProgress });
    midway = await running.lookIntoStores();
    expect((await rescanProject({ store, api, projectId, ...content })).status).toBe("completed");
    await system.home.whenIdle();
    afterwards = await running.lookIntoStores();
    summaries = store.folderFiles
      .list(projectId)
      .map(({ summary }) => summary)
      .join("\n");
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(() => running?.remove());

  test("in no table, queue or object right after a session was cancelled in the middle", () =>
    expect(midway).toEqual([]));
  test("nor when all is done", () => expect(afterwards).toEqual([]));
  test("nor in any file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));
  test("and that means something: the model did read the files, and the device has what it said", () => {
    expect(shown.filter((text) => summaries.includes(text))).toHaveLength(fileCount);
  });
});
