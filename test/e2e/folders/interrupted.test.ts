import { expect, test } from "vitest";
import { DeviceSocket } from "../../../device/connection/socket.ts";
import { linkFolder } from "../../../device/folders/indexer/link-folder.ts";
import { ownContent } from "../../own-content.ts";
import { quick, whole } from "../../rounds.ts";
import { startProgram } from "../program.ts";
import type { ModelReply } from "../scripted-model.ts";
import { about, type FolderSetting, folderSetting, numbered } from "./setting.ts";

const timeoutMs = 240_000;

/** Lets the model answer for so many files and no more, until all may. */
function answerOnly(setting: FolderSetting, count: number) {
  const asked = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  let left = count;
  setting.reply(async (name): Promise<ModelReply> => {
    left -= 1;
    if (left >= 0) return about(name);
    asked.resolve();
    await rest.promise;
    return about(name);
  });
  return { asked: asked.promise, letAll: () => rest.resolve() };
}

// Of a change, a minute of chaos kills at random.
test.skipIf(quick).each(whole ? (["SIGINT", "SIGKILL"] as const) : (["SIGINT"] as const))(
  "P2: %s in the middle leaves what was summarised; the next scan asks for the rest, and nothing twice that was stored",
  async (signal) => {
    const setting = await folderSetting(numbered(40));
    const { words, root, asked, scan, summaries, system } = setting;
    const gate = answerOnly(setting, 12);
    const program = startProgram(words("link", "Papers", root, "--json"));
    await Promise.race([gate.asked, program.ended()]);
    program.child.kill(signal);
    const ended = await program.ended();
    gate.letAll();
    await system.home.whenIdle();

    expect(ended.code).toBe(signal === "SIGINT" ? 130 : null);
    if (signal === "SIGINT") expect(JSON.parse(ended.stdout)).toMatchObject({ status: "cancelled" });
    const stored = Object.entries(await summaries()).flatMap(([name, summary]) => (summary === null ? [] : [name]));
    expect(stored.length).toBeLessThan(40);

    const before = asked.length;
    const rescan = await scan("rescan", "Papers");
    expect(rescan).toMatchObject({ status: "completed", summarized: 40 - stored.length });
    const again = asked.slice(before);
    expect(again.filter((name) => stored.includes(name))).toEqual([]);
    expect(new Set(again).size).toBe(again.length);
    expect(Object.values(await summaries())).not.toContain(null);
    const runs = system.store.scoutRuns.list(system.store.projects.list()[0]?.id ?? missing());
    expect(runs.map(({ status }) => status)).toEqual(["completed", signal === "SIGINT" ? "cancelled" : "error"]);
  },
  timeoutMs,
);

function missing(): never {
  throw new Error("there is no project");
}

// The device's part, what it sends again, is held by test/device/indexer/interrupted.test.ts in every run.
test.skipIf(quick)(
  "P2: a lost socket: the session goes on over the next one, and every file has its summary",
  async () => {
    const setting = await folderSetting(numbered(40));
    const { system, root, asked, summaries } = setting;
    const sockets: DeviceSocket[] = [];
    class Watched extends DeviceSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    }
    const gate = answerOnly(setting, 12);
    const projectId = system.store.projects.list()[0]?.id ?? missing();
    const { api, store } = system;
    const backoff = { baseMs: 4, capMs: 20 };
    const content = ownContent(store, api, { WebSocket: Watched, backoff });
    const linking = linkFolder({ store, api, projectId, folderPath: root, ...content });
    await gate.asked;
    for (const socket of sockets) socket.terminate();
    gate.letAll();

    expect(await linking).toMatchObject({ status: "completed", counts: { summarized: 40, failed: 0 } });
    expect(sockets.length).toBe(2);
    expect(Object.values(await summaries())).not.toContain(null);
    expect(new Set(asked).size).toBe(40);
  },
  timeoutMs,
);
