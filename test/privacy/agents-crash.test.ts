import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askAgent } from "../../device/agent/ask-agent.ts";
import type { AgentRunResult } from "../../device/agent/run-agent.ts";
import { judgeBySubject, writeMail } from "../e2e/mail.ts";
import { ownContent } from "../own-content.ts";
import { type CanaryFolder, linkCanaryFolder } from "./canary-folder.ts";
import { type CanarySystem, startCanarySystem } from "./canary-system.ts";
import { type ContentModel, startContentModel } from "./content-model.ts";
import type { Finding } from "./scan/scanner.ts";

/** Workers die while the model writes: some once, some whenever that file is read or that question is asked. */
describe("P1: nothing of a folder or a run is readable at rest in the cloud after crashes", () => {
  let running: CanarySystem;
  let model: ContentModel;
  let folder: CanaryFolder;
  let files: Record<string, string | null>;
  const killed: string[] = [];
  const runs: Pick<AgentRunResult, "status" | "code">[] = [];
  let inStores: Finding[];
  let inFiles: Finding[];

  const plant = (what: string) => running.canaries.plant(what);

  /** Kills the worker that asks, if the text says so. */
  async function dieFor(worker: "SummarizeSubscriber" | "AgentSubscriber", text: string): Promise<void> {
    const script = /script=(once|always)/.exec(text)?.[1];
    if (script === undefined || (script === "once" && killed.includes(`${worker} once`))) return;
    killed.push(`${worker} ${script}`);
    await running.system.home.killFunction(worker);
  }

  beforeAll(async () => {
    model = await startContentModel({
      async reply(prompt) {
        if (!prompt.startsWith("Kind: ")) return judgeBySubject(prompt);
        await dieFor("SummarizeSubscriber", prompt);
        return { content: JSON.stringify({ summary: `About ${plant("summary")}.`, tag: "doc" }) };
      },
      async say(messages) {
        const call = { project_id: folder.projectId, relative_path: folder.short };
        if (!messages.some(({ role }) => role === "assistant")) return { calls: [["read_project_folder_file", call]] };
        // Files were read by then: what dies has their text in its hands.
        const [question] = messages.filter(({ role, content }) => role === "user" && !content?.startsWith("<<<DATA"));
        await dieFor("AgentSubscriber", question?.content ?? "");
        return { text: `It is ${plant("answer")}.` };
      },
    });
    running = await startCanarySystem((mailFolder) => writeMail(mailFolder, [0]), {
      environment: model.environment,
      home: { backOffMs: () => 1 },
    });
    folder = await linkCanaryFolder(running, { short: "script=once", nested: "script=always" });
    const { system, dataFolder } = running;
    const { store, api } = system;
    const rows = store.folderFiles.list(folder.projectId);
    files = Object.fromEntries(rows.map(({ relativePath, summary }) => [relativePath, summary]));
    for (const script of ["once", "always"]) {
      const message = `script=${script} ${plant("question")}`;
      runs.push(
        await askAgent(
          { agent: "home", projectId: folder.projectId, message },
          { store, ...ownContent(store, api), dataFolder },
        ),
      );
    }
    await system.home.whenIdle();
    inStores = await running.lookIntoStores();
    inFiles = await running.stopAndLookIntoFiles();
  }, 240_000);
  afterAll(async () => {
    await running?.remove();
    await model?.close();
  });

  test("no table, queue, dead-letter queue or object", () => expect(inStores).toEqual([]));
  test("no file under cloud/: engines' files, logs, names", () => expect(inFiles).toEqual([]));

  test("and workers did die: what died always was given up", () => {
    expect(new Set(killed)).toEqual(
      new Set([
        "SummarizeSubscriber once",
        "SummarizeSubscriber always",
        "AgentSubscriber once",
        "AgentSubscriber always",
      ]),
    );
    expect(files).toMatchObject({ [folder.nested]: null });
    expect(runs).toMatchObject([{ status: "completed" }, { status: "error", code: "attempts_exhausted" }]);
  });
});
