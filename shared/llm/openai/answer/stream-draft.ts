import * as z from "zod";
import type { TokenUsage } from "../../chat-model.ts";
import { usageOf } from "./completion.ts";
import { ThinkingFilter } from "./thinking-filter.ts";

/** More than the protocol allows a step, less than could fill the memory. */
const maxCalls = 32;

const callPiece = z.looseObject({
  // Some servers send calls whole, without a place.
  index: z.number().int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z
    .looseObject({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});
const pieceSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z
          .looseObject({
            content: z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]).nullish(),
            refusal: z.string().nullish(),
            tool_calls: z.array(callPiece).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
});

interface DraftCall {
  name: string;
  arguments: string;
  id: string | undefined;
}

/** An answer as it comes in pieces. */
export class StreamDraft {
  text = "";
  refused = false;
  finished = false;
  /** The cap was reached. */
  cutShort = false;
  usage: TokenUsage | undefined;
  model: unknown;
  /** Pieces that were none: the server speaks something else. */
  strange = 0;
  readonly #calls: DraftCall[] = [];
  /** Of places that were given to several calls: where the last of them is kept. */
  readonly #places = new Map<number, number>();
  readonly #thinking = new ThinkingFilter();

  get calls(): readonly { readonly name: string; readonly arguments: string }[] {
    return this.#calls.map(({ name, arguments: given }) => ({ name, arguments: given }));
  }

  /** Adds a piece. @returns the text it adds for the person */
  take(chunk: unknown): string {
    const read = pieceSchema.safeParse(chunk);
    if (!read.success || typeof chunk !== "object" || chunk === null) {
      this.strange += 1;
      return "";
    }
    if ("model" in chunk && chunk.model) this.model = chunk.model;
    if ("usage" in chunk) this.usage = usageOf(chunk.usage) ?? this.usage;
    const choice = read.data.choices?.[0];
    if (!choice) {
      if (read.data.choices === undefined) this.strange += 1;
      return "";
    }
    const { delta, finish_reason: reason } = choice;
    for (const piece of delta?.tool_calls ?? []) this.#takeCall(piece);
    if (delta?.refusal || reason === "content_filter") this.refused = true;
    const { content } = delta ?? {};
    const added = typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("");
    let piece = this.#thinking.take(added);
    if (reason) {
      this.finished = true;
      this.cutShort = reason === "length";
      piece += this.#thinking.rest();
    }
    this.text += piece;
    return piece;
  }

  /**
   * Calls are told apart by their place; without one, a new id begins a new call. Ollama gives all of them the same place, and each an
   * id of its own (ollama #15457), which then counts.
   */
  #takeCall({ index, id, function: named }: z.infer<typeof callPiece>): void {
    const last = this.#calls.at(-1);
    const isNew = last === undefined || (id ? last.id !== id : Boolean(named?.name));
    const place =
      index === undefined || index === null
        ? this.#calls.length - (isNew ? 0 : 1)
        : this.#placeAt(index, named?.name ? (id ?? "") : "");
    if (place >= maxCalls) return;
    while (this.#calls.length <= place) this.#calls.push({ name: "", arguments: "", id: undefined });
    const call = this.#calls[place];
    if (!call) return;
    call.id ??= id || undefined;
    call.name += named?.name ?? "";
    const given = named?.arguments ?? "";
    call.arguments += typeof given === "string" ? given : JSON.stringify(given);
  }

  /** Where the call is kept that a server gives this place. @param id of one that begins, which has a name; else empty */
  #placeAt(index: number, id: string): number {
    const place = this.#places.get(index) ?? index;
    const held = this.#calls[place]?.id;
    if (id === "" || held === undefined || held === id) return place;
    const known = this.#calls.findIndex((call) => call.id === id);
    const other = known === -1 ? this.#calls.length : known;
    this.#places.set(index, other);
    return other;
  }
}
