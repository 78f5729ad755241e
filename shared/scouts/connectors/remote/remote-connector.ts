import { ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { KeptReason } from "../../../../events/proposals/verdict.ts";
import type { SourceAsk } from "../../../../events/sources/call.ts";
import type { SourceAnswer } from "../../../../events/sources/reply.ts";
import { sourceReply } from "../../../../events/sources/reply.ts";
import { sourceSettings } from "../../../../events/sources/settings.ts";
import type { RemoteSource } from "../../../ports/remote-source.ts";
import { Transient } from "../../../privacy/transient.ts";
import type { Reading } from "../../triage/readable-text.ts";
import type {
  Archive,
  ItemContent,
  ItemMetadata,
  KeptSettings,
  Listing,
  Position,
  ScoutAtSource,
  Sees,
  SettingsConnection,
  SourceConnector,
  SourceLimits,
  Verified,
} from "../connector.ts";
import { itemMetadata } from "../metadata.ts";
import { contentOf, failureOf, seesOf } from "./carried.ts";

/** What of a connector has to be known where it is not: none of it takes the source's library. */
export interface RemoteDescription<S extends object> {
  readonly sourceType: string;
  readonly limits?: SourceLimits;
  readonly settings: Pick<SettingsConnection<S>, "schema" | "secrets">;
}

type Asked<W extends string> = Extract<SourceAnswer, { what: W }>;

/**
 * A connector of a source that one function alone speaks to, for the others: each call is asked of that function and
 * answered in memory. Only for sources that are connected by settings and polled.
 */
export class RemoteConnector<S extends object> implements SourceConnector {
  readonly sourceType: string;
  readonly pollOnly = true;
  readonly limits?: SourceLimits;
  readonly settings: SettingsConnection<S>;
  readonly archive: Archive;
  readonly #remote: RemoteSource;

  constructor({ sourceType, limits, settings }: RemoteDescription<S>, remote: RemoteSource) {
    this.sourceType = sourceType;
    if (limits) this.limits = limits;
    this.#remote = remote;
    this.settings = { ...settings, verify: (scout, kept) => this.#verify(scout, kept) };
    this.archive = {
      granted: async (scout) => (await this.#ask(scout, { what: "granted" })).granted,
      archive: (scout, ref, state) => this.#archive(scout, ref, state),
      restore: async (scout, ref) => void (await this.#ask(scout, { what: "restore", ref })),
    };
  }

  async sees(scout: ScoutAtSource): Promise<Sees> {
    return seesOf((await this.#ask(scout, { what: "sees" })).sees);
  }

  async currentCursor(scout: ScoutAtSource): Promise<string> {
    return (await this.#ask(scout, { what: "cursor" })).cursor;
  }

  async listNew(scout: ScoutAtSource, position: Position): Promise<Listing> {
    const { refs, nextPage, cursor, gap, lacks } = await this.#ask(scout, { what: "list", ...position });
    return {
      refs,
      ...(nextPage === undefined ? {} : { nextPage }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(gap === undefined ? {} : { gap }),
      ...(lacks === undefined ? {} : { lacks }),
    };
  }

  async fetchMetadata(scout: ScoutAtSource, ref: ItemRef): Promise<ItemMetadata> {
    const [read] = await this.fetchMetadataMany(scout, [ref]);
    if (read === undefined || read instanceof ScoutsError) throw read ?? new ScoutsError("source_unavailable");
    return read;
  }

  async fetchMetadataMany(scout: ScoutAtSource, refs: readonly ItemRef[]): Promise<(ItemMetadata | ScoutsError)[]> {
    const { items } = await this.#ask(scout, { what: "metadata", refs: [...refs] });
    return items.map((item) => ("read" in item ? itemMetadata(item.read) : failureOf(item.failed)));
  }

  async fetchContent(scout: ScoutAtSource, ref: ItemRef, reading: Reading = "words"): Promise<ItemContent> {
    return contentOf(await this.#ask(scout, { what: "content", ref, reading }), reading);
  }

  async setupWatch(): Promise<undefined> {}

  async stopWatch(): Promise<void> {}

  async letGo(scout: ScoutAtSource): Promise<void> {
    await this.#ask(scout, { what: "letGo" });
  }

  async #verify(scout: ScoutAtSource, kept: Transient<KeptSettings<S>>): Promise<Verified> {
    const { given, own } = kept.reveal();
    const verified = await this.#ask(scout, {
      what: "verify",
      given: sourceSettings.parse(given),
      ...(own && { own: { ...own } }),
    });
    return {
      sees: seesOf(verified.sees),
      identity: new Transient(verified.identity),
      ...(verified.alsoKnownAs && { alsoKnownAs: new Transient(verified.alsoKnownAs) }),
      cursor: verified.cursor,
      ...(verified.own && { own: new Transient(verified.own) }),
    };
  }

  async #archive(scout: ScoutAtSource, ref: ItemRef, state: string): Promise<"archived" | "there" | KeptReason> {
    return (await this.#ask(scout, { what: "archive", ref, state })).outcome;
  }

  async #ask<A extends SourceAsk>({ userId, scoutId }: ScoutAtSource, ask: A): Promise<Asked<A["what"]>> {
    const call = { v: 1 as const, sourceType: this.sourceType, scout: { userId, scoutId }, ask };
    const reply = sourceReply.safeParse(await this.#remote.call(call));
    if (!reply.success) throw new ScoutsError("source_unavailable", { data: { what: "reply" } });
    const { answer } = reply.data;
    if (answer.what === "failed") throw failureOf(answer.failed);
    if (isAnswerTo(ask, answer)) return answer;
    throw new ScoutsError("source_unavailable", { data: { what: "reply" } });
  }
}

function isAnswerTo<A extends SourceAsk>(ask: A, answer: SourceAnswer): answer is Asked<A["what"]> {
  return answer.what === ask.what;
}
