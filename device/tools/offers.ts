import { createHash } from "node:crypto";
import { canonicalJson } from "../access/audit/record.ts";
import { DeviceError } from "../errors.ts";
import type { Project } from "../store/folder-schema.ts";
import { checkArguments, type GivenArguments } from "../workspace/tool-arguments.ts";
import type { ToolDefinition } from "../workspace/tool-definition.ts";
import { changeToolList, type ToolList, type ToolListPlace, type ToolOffer, toolNamed } from "./tool-list.ts";

/** Where a tool is offered: in a project, or (null) where a question is about none. */
export type OfferedIn = Pick<Project, "id"> | null;

/**
 * Offers a tool to agents, with what it is called with: an agent chooses none of it. The person is asked once more when an
 * agent first wants to use it.
 *
 * @throws DeviceError `tool_unknown`, `tool_refused` (in place, or of another project), `tool_argument_invalid`, and those of
 * the list
 */
export async function offerTool(
  name: string,
  project: OfferedIn,
  given: GivenArguments,
  place: ToolListPlace,
): Promise<ToolOffer> {
  const offer: ToolOffer = { tool: name, projectId: project?.id ?? null, arguments: { ...given }, approved: null };
  await changeToolList(place, (list) => {
    const tool = toolNamed(list, name);
    if (tool.inPlace) {
      throw new DeviceError("tool_refused", {
        sentence: `${name} works on the project itself, so no agent may have it; allow it on a copy to offer it.`,
      });
    }
    if (tool.project !== undefined && tool.project !== offer.projectId) {
      throw new DeviceError("tool_refused", {
        sentence: `${name} is allowed for one project only; offer it there: --project ${tool.project}`,
      });
    }
    checkArguments(tool, given);
    return { tools: list.tools, offers: [...list.offers.filter((each) => !isOf(each, name, project)), offer] };
  });
  return offer;
}

/** Takes offers of a tool back: in one project, or (undefined) everywhere. @returns how many there were */
export async function withdrawTool(
  name: string,
  project: OfferedIn | undefined,
  place: ToolListPlace,
): Promise<number> {
  let withdrawn = 0;
  await changeToolList(place, (list) => {
    toolNamed(list, name);
    const left = list.offers.filter((offer) =>
      project === undefined ? offer.tool !== name : !isOf(offer, name, project),
    );
    withdrawn = list.offers.length - left.length;
    return { tools: list.tools, offers: left };
  });
  return withdrawn;
}

/** The person has let an offer be used, as it is now. */
export async function approveOffer(offer: ToolOffer, digest: string, place: ToolListPlace): Promise<void> {
  await changeToolList(place, ({ tools, offers }) => ({
    tools,
    offers: offers.map((each) => (isSame(each, offer) ? { ...each, approved: digest } : each)),
  }));
}

/** What an approval of an offer is about: what is run, with what, where, and under which limits. */
export function offerDigest(tool: ToolDefinition, { projectId, arguments: given }: ToolOffer): string {
  const about = JSON.parse(JSON.stringify({ tool, projectId, given }));
  return createHash("sha256").update(canonicalJson(about)).digest("hex");
}

/** Offers that hold in a place, each with its tool. */
export function offersIn(
  { tools, offers }: ToolList,
  projectId: string | null,
): { offer: ToolOffer; tool: ToolDefinition }[] {
  return offers
    .filter((offer) => offer.projectId === projectId)
    .flatMap((offer) => tools.filter(({ name }) => name === offer.tool).map((tool) => ({ offer, tool })));
}

const isOf = (offer: ToolOffer, name: string, project: OfferedIn) =>
  offer.tool === name && offer.projectId === (project?.id ?? null);
const isSame = (a: ToolOffer, b: ToolOffer) => a.tool === b.tool && a.projectId === b.projectId;
