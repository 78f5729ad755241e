import { dirname, join } from "node:path";
import * as z from "zod";
import { projectId } from "../../events/ids.ts";
import { fileLease } from "../access/store/lease.ts";
import { DeviceError } from "../errors.ts";
import { readPrivateFile, writePrivateFile } from "../private-file.ts";
import { makePrivateFolder } from "../private-folder.ts";
import { type ToolDefinition, toolDefinition, toolName } from "../workspace/tool-definition.ts";
import type { Variables } from "../workspace/workspace.ts";
import { isSealed, sealOf } from "./list-seal.ts";

/** A tool that agents may use, with what it is called with, in one project or where there is none. */
export const toolOffer = z.strictObject({
  tool: toolName,
  projectId: projectId.nullable(),
  arguments: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  /** What the person has let be used, when an agent first asked: the digest of tool and offer. */
  approved: z.string().nullable().default(null),
});
export type ToolOffer = z.output<typeof toolOffer>;

const listFile = z.strictObject({
  tools: z.array(z.json()).max(500).default([]),
  offers: z.array(z.json()).max(1_000).default([]),
  seal: z.string().default(""),
});

export interface ToolList {
  readonly tools: readonly ToolDefinition[];
  readonly offers: readonly ToolOffer[];
}

/** Where the list is, and whose it has to be. */
export interface ToolListPlace {
  readonly dataFolder: string;
  /** Of the person's own environment: they say where the account keeps its state. */
  readonly variables: Variables;
}

/** In the data folder, never in a project. */
export const toolListFile = (dataFolder: string): string => join(dataFolder, "device", "tools.json");

/**
 * The list as it stands, for looking at.
 * @throws DeviceError `tool_list_unreadable`
 */
export function readToolList(place: ToolListPlace): ToolList & { readonly isConfirmed: boolean } {
  const unreadable = (cause?: unknown): never => {
    throw new DeviceError("tool_list_unreadable", cause === undefined ? {} : { cause });
  };
  const raw = readPrivateFile(toolListFile(place.dataFolder), listFile, unreadable);
  if (raw === undefined) return { tools: [], offers: [], isConfirmed: true };
  const { seal, ...list } = raw;
  const tools = z.array(toolDefinition).safeParse(list.tools);
  const offers = z.array(toolOffer).safeParse(list.offers);
  if (!tools.success || !offers.success) return unreadable();
  const isEmpty = list.tools.length === 0;
  return { tools: tools.data, offers: offers.data, isConfirmed: isEmpty || isSealed(list, seal, place.variables) };
}

/** The list, to run something of it. @throws DeviceError `tool_list_unreadable`, `tool_list_unconfirmed` */
export function confirmedToolList(place: ToolListPlace): ToolList {
  const { isConfirmed, ...list } = readToolList(place);
  if (!isConfirmed) throw new DeviceError("tool_list_unconfirmed");
  return list;
}

/**
 * Changes the list, one process at a time, and seals it.
 * @throws DeviceError as {@link confirmedToolList}; what `change` throws
 */
export function changeToolList(place: ToolListPlace, change: (list: ToolList) => ToolList): Promise<ToolList> {
  return underLock(place, () => write(place, change(confirmedToolList(place))));
}

/** The person says that the list, however it came to be as it is, is theirs. @throws DeviceError `tool_list_unreadable` */
export function confirmToolList(place: ToolListPlace): Promise<ToolList> {
  return underLock(place, () => {
    const { isConfirmed: _, ...list } = readToolList(place);
    // What a stranger's list has had approved was approved by a stranger.
    return write(place, { ...list, offers: list.offers.map((offer) => ({ ...offer, approved: null })) });
  });
}

/** @throws DeviceError `tool_unknown` */
export function toolNamed({ tools }: ToolList, name: string): ToolDefinition {
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const known = tools.map((tool) => tool.name).join(", ");
  const hint = known === "" ? "None is allowed yet: scouts tool allow --help" : `There are: ${known}.`;
  throw new DeviceError("tool_unknown", { sentence: `No tool ${name} is allowed. ${hint}` });
}

function underLock<T>({ dataFolder }: ToolListPlace, work: () => T): Promise<T> {
  const file = toolListFile(dataFolder);
  makePrivateFolder(dirname(file));
  return fileLease(`${file}.lock`).run(async () => work());
}

function write({ dataFolder, variables }: ToolListPlace, { tools, offers }: ToolList): ToolList {
  // As JSON has them: what is sealed is what is read again.
  const list = z.strictObject({ tools: z.array(z.json()), offers: z.array(z.json()) }).parse({
    tools: JSON.parse(JSON.stringify(tools)),
    offers: JSON.parse(JSON.stringify(offers)),
  });
  writePrivateFile(toolListFile(dataFolder), { ...list, seal: sealOf(list, variables) });
  return { tools, offers };
}
