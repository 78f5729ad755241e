import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { fromSystem } from "../backends/fs/fs-errors.ts";
import type { FilledView } from "./fill-view.ts";

const kept = z.object({
  base: z.array(z.tuple([z.string(), z.string(), z.number()])),
  links: z.array(z.tuple([z.string(), z.string()])),
  leftOut: z.array(z.string()),
});

/** Where a kept view has what it was made from. */
export const baseFileOf = (viewDirectory: string): string => join(viewDirectory, "base.json");

/** On the disk when this returns. */
export async function writeBase(file: string, { base, links, leftOut }: FilledView): Promise<void> {
  const states = [...base].map(([path, { hash, mode }]) => [path, hash, mode] as const);
  const text = JSON.stringify({ base: states, links: [...links], leftOut });
  try {
    const draft = await open(`${file}.new`, "w", 0o600);
    try {
      await draft.writeFile(text);
      await draft.sync();
    } finally {
      await draft.close();
    }
    await rename(`${file}.new`, file);
  } catch (error) {
    throw fromSystem(error, file);
  }
}

/** @throws NotFound */
export async function readBase(file: string): Promise<FilledView> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw fromSystem(error, file);
  }
  const { base, links, leftOut } = kept.parse(JSON.parse(text));
  return { base: new Map(base.map(([path, hash, mode]) => [path, { hash, mode }])), links: new Map(links), leftOut };
}
