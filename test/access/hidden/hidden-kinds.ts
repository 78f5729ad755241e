import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type * as z from "zod";
import { accessRules, policyFile } from "../../../device/access/policy/rules.ts";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import { InMemoryProjectFiles } from "../../../device/files/backends/in-memory-project-files.ts";
import type { ProjectFiles } from "../../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";

/** One way in which a file is kept from a model. */
export interface HiddenKind {
  readonly name: string;
  /** Where the content lies, relative to the project. */
  readonly stored: string;
  /** What the caller says. */
  readonly asked: string;
  readonly personal?: z.input<typeof accessRules>;
  readonly project?: z.input<typeof accessRules>;
  readonly links?: Readonly<Record<string, string>>;
  /** A disk that folds case, in memory. */
  readonly foldsCase?: boolean;
  /** `.gitignore` names it. */
  readonly isIgnored?: boolean;
  /** What `.scoutsignore` files say, by their folder. */
  readonly kept?: Readonly<Record<string, string>>;
  /** The file has a history from the time when it was readable. */
  readonly hadHistory?: boolean;
}

const inPrivate = { read: { deny: ["private/**"] } };
const plan = "private/plan.txt";

export const hiddenKinds: readonly HiddenKind[] = [
  { name: "a rule of the project denies reading it", stored: plan, asked: plan, project: inPrivate },
  { name: "a rule of the person denies reading it", stored: plan, asked: plan, personal: inPrivate },
  {
    name: "a rule asks for reading it, and nobody answers",
    stored: plan,
    asked: plan,
    personal: { read: { ask: ["private/**"] } },
  },
  { name: "its name says credentials", stored: ".env", asked: ".env" },
  { name: "its name says credentials, and it is ignored", stored: ".env", asked: ".env", isIgnored: true },
  { name: "it is denied, and ignored", stored: plan, asked: plan, personal: inPrivate, isIgnored: true },
  { name: "its name says private", stored: "data/people.sqlite", asked: "data/people.sqlite" },
  { name: "it is the device's own", stored: ".scouts/device/plan.txt", asked: ".scouts/device/plan.txt" },
  { name: "it lies outside the project", stored: "../outside.txt", asked: "../outside.txt" },
  {
    name: "a link leads out of the project",
    stored: "../outside.txt",
    asked: "out.txt",
    links: { "out.txt": "../outside.txt" },
  },
  {
    name: "a link leads to a denied file",
    stored: plan,
    asked: "open.txt",
    personal: inPrivate,
    links: { "open.txt": plan },
  },
  {
    name: "a linked folder holds it",
    stored: plan,
    asked: "open/plan.txt",
    personal: inPrivate,
    links: { open: "private" },
  },
  { name: "a link leads to a file of credentials", stored: ".env", asked: "open.txt", links: { "open.txt": ".env" } },
  { name: "the disk folds case", stored: plan, asked: "PRIVATE/Plan.TXT", personal: inPrivate, foldsCase: true },
  {
    name: "the disk folds letters beyond ASCII",
    stored: "caf\u00e9/plan.txt",
    asked: "CAF\u00c9/PLAN.TXT",
    personal: { read: { deny: ["caf\u00e9/**"] } },
    foldsCase: true,
  },
  { name: "what cannot be seen follows its name", stored: "x.env\u200b", asked: "x.env\u200b" },
  { name: "what cannot be seen is in its name", stored: ".e\u00adnv", asked: ".e\u00adnv" },
  { name: "a blank follows its name", stored: "x.env ", asked: "x.env " },
  { name: "dots follow its name", stored: "keys/server.pem..", asked: "keys/server.pem.." },
  {
    name: "the rule spells its accent in two characters",
    stored: "caf\u00e9/plan.txt",
    asked: "caf\u00e9/plan.txt",
    personal: { read: { deny: ["cafe\u0301/**"] } },
  },
  {
    name: "a blank follows the name of its folder",
    stored: "private /plan.txt",
    asked: "private /plan.txt",
    personal: inPrivate,
  },
  { name: "the person keeps it from scouts", stored: plan, asked: plan, kept: { "": "/private/plan.txt\n" } },
  { name: "the person keeps its folder from scouts", stored: plan, asked: plan, kept: { "": "private/\n" } },
  {
    name: "a folder's own list keeps it from scouts",
    stored: "a/b/plan.txt",
    asked: "a/b/plan.txt",
    kept: { "": "!plan.txt\n", "a/": "b/\n" },
  },
  {
    name: "a link leads to what is kept from scouts",
    stored: plan,
    asked: "open.txt",
    kept: { "": "private/\n" },
    links: { "open.txt": plan },
  },
  { name: "it is kept from scouts, and ignored", stored: plan, asked: plan, kept: { "": "*.txt\n" }, isIgnored: true },
  { name: "it could be read once and no longer", stored: plan, asked: plan, personal: inPrivate, hadHistory: true },
];

/** The visible files of every project here. */
export const visible = { "README.md": "# A project\n\nvisible words\n", "notes.md": "first\nsecond\nthird\n" };

/** A project whose hidden file has this content; null: there is none. @param folder empty, with room for a file beside the project */
export function projectFiles(kind: HiddenKind, folder: string, content: string | null): ProjectFiles {
  const files: Record<string, string> = { ...visible };
  if (content !== null) files[kind.stored] = content;
  if (kind.project !== undefined) files[policyFile] = JSON.stringify(kind.project);
  if (kind.isIgnored === true) files[".gitignore"] = `/${kind.stored}\n`;
  for (const [folderOf, text] of Object.entries(kind.kept ?? {})) files[`${folderOf}.scoutsignore`] = text;
  if (kind.foldsCase === true) {
    return new InMemoryProjectFiles(files, { ...systemTimeAndIds, folding: { foldsCase: true, foldsUnicode: true } });
  }
  const root = join(folder, "project");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [link, target] of Object.entries(kind.links ?? {})) symlinkSync(target, join(root, link));
  return new FsProjectFiles(root, { durable: false });
}

export const rulesOf = ({ personal = {} }: HiddenKind) => [accessRules.parse(personal)];
