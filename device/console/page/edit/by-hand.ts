import { typedTexts } from "../form/typed-texts.ts";
import type { Take } from "./merge-result.ts";

/** What a person has made of a conflict and not saved. */
export interface ByHand {
  /** What the file was called that the conflict is with; null where it is gone. */
  readonly hash: string | null;
  /** What is taken at the places that were chosen, by their numbers. */
  readonly chosen: Readonly<Record<number, Take>>;
  /** The result, where it was changed by hand. */
  readonly text?: string;
  /** Where it is to be saved, where that is another place. */
  readonly path?: string;
}

/** By the id of the draft. It is no draft yet: that is what it is saved as. */
export const madeByHand = typedTexts<ByHand>(({ text, path }) => [text ?? "", path ?? ""]);
