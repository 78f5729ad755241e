import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { type LocalSystem, startSystem } from "../../../cli/up/system.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { ownFolder } from "../folders.ts";
import { judgeBySubject, upTo, writeMail } from "../mail.ts";
import { type Ended, scoutsHere } from "../program.ts";
import { type ModelReply, type ScriptedModel, startScriptedModel } from "../scripted-model.ts";

/** What tests look at of `project link --json` and `project rescan --json`. */
const told = z.object({
  status: z.enum(["completed", "cancelled", "quota_exceeded", "error"]),
  reason: z.object({ code: z.string(), sentence: z.string() }).nullable(),
  newFiles: z.array(z.string()),
  changedFiles: z.array(z.string()),
  renamedFiles: z.array(z.object({ from: z.string(), to: z.string() })),
  deletedFiles: z.array(z.string()),
  summarized: z.number(),
  failed: z.number(),
  tokensUsed: z.number(),
});
export type Told = z.infer<typeof told>;
const listed = z.array(z.object({ relativePath: z.string(), summary: z.string().nullable(), state: z.string() }));

export interface FolderSetting {
  readonly system: LocalSystem;
  readonly model: ScriptedModel;
  readonly dataFolder: string;
  readonly mailFolder: string;
  readonly root: string;
  /** Names of files the model was asked about, each time it was asked. */
  readonly asked: string[];
  /** What the model says of a file. */
  reply(answer: (name: string) => ModelReply | Promise<ModelReply>): void;
  write(name: string, content: string | Uint8Array): void;
  /** The arguments of `scouts project …` on this home. */
  words(...words: string[]): string[];
  /** Runs one in this process. */
  project(...words: string[]): Promise<Ended>;
  /** `link` or `rescan`, and what it told. */
  scan(...words: string[]): Promise<Told>;
  /** Paths and summaries by the command line. */
  summaries(): Promise<Record<string, string | null>>;
}

/** As the prompt names a file: in the attributes of the markers around its text. */
const nameIn = (prompt: string) => /([\w-]+\.(?:md|ts|txt|png))/.exec(prompt)?.[1] ?? "";

export const about = (name: string): ModelReply => ({
  content: JSON.stringify({ summary: `This is ${name}.`, tag: "doc" }),
});

/** A home that runs, and a model that goes by the file's name. */
export interface FolderHome {
  readonly system: LocalSystem;
  readonly model: ScriptedModel;
  readonly dataFolder: string;
  readonly mailFolder: string;
  /** Where folders may be made. */
  readonly path: string;
  readonly asked: string[];
  reply(answer: (name: string) => ModelReply | Promise<ModelReply>): void;
  close(): Promise<void>;
}

export async function startFolderHome(): Promise<FolderHome> {
  const folder = ownFolder();
  const [dataFolder, mailFolder] = [path.join(folder.path, "data"), path.join(folder.path, "mail")];
  mkdirSync(mailFolder);
  writeMail(mailFolder, upTo(1));
  const asked: string[] = [];
  let answer: (name: string) => ModelReply | Promise<ModelReply> = about;
  const model = await startScriptedModel((prompt) => {
    if (!prompt.startsWith("Kind: ")) return judgeBySubject(prompt);
    const name = nameIn(prompt);
    asked.push(name);
    return answer(name);
  });
  const { signal } = new AbortController();
  const environment = model.environment;
  const system = await startSystem({ ...systemTimeAndIds, dataFolder, mailboxPath: mailFolder, environment, signal });
  return {
    system,
    model,
    dataFolder,
    mailFolder,
    path: folder.path,
    asked,
    reply(next) {
      answer = next;
    },
    async close() {
      await system.stop();
      await model.close();
      folder.remove();
    },
  };
}

/** A project called Papers on a home of its own, or on one that is given, and a folder that is not linked yet. */
export async function folderSetting(
  texts: Readonly<Record<string, string>>,
  shared?: FolderHome,
): Promise<FolderSetting> {
  const home = shared ?? (await startFolderHome());
  const { system, model, dataFolder, mailFolder, asked } = home;
  const root = path.join(home.path, `documents-${randomUUID()}`);
  asked.length = 0;
  home.reply(about);
  onTestFinished(async () => {
    if (shared === undefined) return home.close();
    for (const { id } of system.store.projects.list()) system.store.projects.remove(id);
  });

  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  };
  for (const [name, text] of Object.entries(texts)) write(name, text);
  const words = (...more: string[]) => ["project", ...more, "--data", dataFolder];
  const project = (...more: string[]) => scoutsHere(words(...more));
  await project("add", "Papers");
  return {
    system,
    model,
    dataFolder,
    mailFolder,
    root,
    asked,
    reply: home.reply,
    write,
    words,
    project,
    async scan(...more) {
      const { stdout, stderr, code } = await project(...more, "--json");
      if (stdout === "") throw new Error(`Nothing told, exit code ${code}: ${stderr}`);
      return told.parse(JSON.parse(stdout));
    },
    async summaries() {
      const { stdout } = await project("files", "Papers", "--json");
      const rows = listed.parse(JSON.parse(stdout));
      return Object.fromEntries(rows.map(({ relativePath, summary }) => [relativePath, summary]));
    },
  };
}

/** So many small files. */
export const numbered = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${String(n).padStart(3, "0")}.md`, `This is no. ${n}.`]),
  );
