import type { ProposalId } from "../../../events/ids.ts";
import type { FullItem } from "../../connection/content/item-assembly.ts";

/** Characters of all that is held. */
const mostCharacters = 2_000_000;
const mostItems = 20;

/** Items that the rules have just read, so that their source is not asked again for the model. In memory, a few of them. */
export class RecentItems {
  readonly #items = new Map<ProposalId, FullItem>();
  #characters = 0;

  add(item: FullItem): void {
    this.take(item.proposalId);
    this.#items.set(item.proposalId, item);
    this.#characters += item.text.length;
    for (const [oldest] of this.#items) {
      if (this.#items.size <= mostItems && this.#characters <= mostCharacters) return;
      this.take(oldest);
    }
  }

  /** Gives an item out, and forgets it. */
  take(id: ProposalId): FullItem | undefined {
    const item = this.#items.get(id);
    if (item === undefined) return undefined;
    this.#items.delete(id);
    this.#characters -= item.text.length;
    return item;
  }
}
