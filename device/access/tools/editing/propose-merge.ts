import { replaceContent } from "../../edits/edit-file.ts";
import { decodeText } from "../../edits/encoding.ts";
import { parseDocument } from "../../edits/lines/document.ts";
import type { ToolCall } from "../tool-call.ts";
import { type EditConflict, type ProposedMerge, refuseSentinel } from "./plan-edit.ts";

/**
 * What the review model makes of an edit and of what the file has become meanwhile. It sees no credentials, and nothing is
 * written: that takes the approval of a person.
 *
 * @throws EditConflict when there is nothing to merge from, nobody to propose, or no proposal
 */
export async function proposedMerge(call: ToolCall, path: string, conflict: EditConflict): Promise<ProposedMerge> {
  const { texts } = conflict;
  const proposer = call.kit.mergeProposer;
  if (texts === undefined || proposer === undefined) throw conflict;
  const { base, edited, current } = texts;
  const shown = (bytes: Uint8Array) => {
    const { encoding, bomBytes } = parseDocument(bytes);
    return call.redacted(decodeText(bytes.subarray(bomBytes), encoding));
  };
  const proposal = await proposer.propose({
    path,
    base: shown(base),
    edited: shown(edited),
    current: shown(current.bytes),
  });
  if (proposal === undefined) throw conflict;
  refuseSentinel(proposal, current, path);
  return { currentHash: current.hash, bytes: replaceContent(current.bytes, proposal) };
}
