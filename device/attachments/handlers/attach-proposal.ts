import type { ProposalId } from "../../../events/ids.ts";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import type { FullItem } from "../../connection/content/item-assembly.ts";
import { DeviceError } from "../../errors.ts";
import { readItem } from "../../items/read-item.ts";
import { findProposal } from "../../store/find-proposal.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { AttachmentHandler } from "../attachment-handler.ts";

const redactor = new Redactor();

/** The item of a proposal, read in full at its source now; it is stored nowhere. @param open as `openItem` */
export function proposalHandler(
  store: DeviceStore,
  open: (id: ProposalId, signal: AbortSignal) => Promise<FullItem>,
): AttachmentHandler {
  return {
    async read(of, { characters, signal }) {
      const proposal = findProposal(store, of);
      if (proposal === undefined) throw new DeviceError("proposal_unknown");
      const { subject, sender, text } = await readItem(store, proposal.id, (id) => open(id, signal));
      const whole = [`From: ${sender ?? ""}`, `Subject: ${subject ?? ""}`, "", text].join("\n");
      const shown = redactor.redact(whole.toWellFormed()).text;
      return { text: shown.slice(0, characters).toWellFormed(), isCut: shown.length > characters };
    },
  };
}
