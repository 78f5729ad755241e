import type { ItemPart } from "../../../events/frames/items.ts";
import type { ProposalId } from "../../../events/ids.ts";
import { type ItemHeader, type ItemMachineParts, itemMachineParts } from "../../../events/proposals/item.ts";

/** The full text behind a proposal, fetched from its source for this one look. Nothing of it is stored on either side. */
export interface FullItem {
  readonly proposalId: ProposalId;
  readonly subject: string | null;
  readonly sender: string | null;
  /** Where it comes from, as its source has it; null where the source has no such thing. */
  readonly header: ItemHeader | null;
  readonly text: string;
  /** What it says for programs. */
  readonly machine: ItemMachineParts;
}

/** An item whose numbered parts come in any order. */
export class ItemAssembly {
  readonly #parts = new Map<number, { readonly text: string; readonly machine: string }>();
  #header: ItemHeader | null = null;

  /** Takes a part in. @returns the item, once all of it is there */
  add({ proposalId, subject, sender, header, part, parts, text, machine = "" }: ItemPart): FullItem | undefined {
    this.#parts.set(part, { text, machine });
    this.#header = header ?? this.#header;
    if (this.#parts.size < parts) return undefined;
    const ordered = [...this.#parts].sort(([a], [b]) => a - b).map(([, piece]) => piece);
    return {
      proposalId,
      subject,
      sender,
      header: this.#header,
      text: ordered.map((each) => each.text).join(""),
      machine: machineOf(ordered.map((each) => each.machine).join("")),
    };
  }
}

const nothing: ItemMachineParts = { calendars: [], linkedData: [] };

/** A cloud of another version may tell it otherwise: then the letter alone is read. */
function machineOf(text: string): ItemMachineParts {
  if (text === "") return nothing;
  try {
    return itemMachineParts.safeParse(JSON.parse(text)).data ?? nothing;
  } catch (error) {
    if (error instanceof SyntaxError) return nothing;
    throw error;
  }
}
