import type { Command } from "commander";
import * as z from "zod";
import { type SpamListResponse, spamListResponse } from "../../events/http.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions } from "../../cli/context.ts";
import { age, type Output, table } from "../../cli/output/output.ts";
import { printable } from "../../cli/output/printable.ts";
import { findScout, pathOf, scoutArgument, withHome } from "../../cli/scouts/scouts-home.ts";

type SpamItem = SpamListResponse["items"][number];

const defaultLimit = 50;
const pageSize = 100;

interface SpamFlags extends CommonOptions {
  readonly limit?: number;
}

async function readSpam(api: CloudApi, id: string, limit: number): Promise<SpamItem[]> {
  const items: SpamItem[] = [];
  let cursor: string | null = "";
  while (cursor !== null && items.length < limit) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const size = Math.min(pageSize, limit - items.length);
    const page = await askCloud(api, "GET", `${pathOf(id)}/spam?limit=${size}${query}`, spamListResponse);
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}

function whereabouts({ trashedAt, keptBecause }: SpamItem): string {
  if (trashedAt !== null) return "in Trash";
  return keptBecause === null ? "left in place" : `left in place: ${keptBecause.replaceAll("_", " ")}`;
}

function show(output: Output, items: readonly SpamItem[], nowMs: number): void {
  if (items.length === 0) {
    output.line("Nothing was dismissed.");
    return;
  }
  table(output, items, [
    { title: "AGE", cell: ({ triagedAt }) => age(triagedAt, nowMs) },
    { title: "WHY", cell: ({ reasonCode }) => reasonCode.replaceAll("_", " ") },
    { title: "SURE", cell: ({ confidence }) => `${Math.round(confidence * 100)}%` },
    { title: "WHERE", cell: whereabouts, fills: true },
    { title: "REF", cell: ({ ref }) => ref },
  ]);
}

/** `scouts scouts spam` and `restore`: what a scout has dismissed, and taking it back. */
export function addSpam(scouts: Command, context: CliContext): void {
  const spam = scouts.command("spam").description("what a scout has dismissed, newest first");
  spam.addArgument(scoutArgument()).option("--limit <number>", "at most so many (default 50)", wholeNumber(1, 100_000));
  withCommonOptions(spam).action((text: string, flags: SpamFlags) =>
    withHome(context, flags, async (api, output) => {
      const { id } = await findScout(api, text);
      const items = await readSpam(api, id, flags.limit ?? defaultLimit);
      if (flags.json) output.json(items);
      else show(output, items, context.now());
    }),
  );

  const restore = scouts.command("restore").description("take dismissed items back: out of Trash, and proposed to you");
  restore.addArgument(scoutArgument()).argument("<ref...>", "refs of items, as `spam` shows them");
  withCommonOptions(restore).action((text: string, refs: string[], flags: CommonOptions) =>
    withHome(context, flags, async (api, output) => {
      const { id } = await findScout(api, text);
      for (const ref of refs) {
        await askCloud(api, "POST", `${pathOf(id)}/spam/${encodeURIComponent(ref)}/restore`, z.undefined());
        if (!flags.json) output.line(`restored  ${printable(ref)}`);
      }
      if (flags.json) output.json({ restored: refs });
    }),
  );
}
