import { isMisconfigured, modelLine } from "../home/model-line.ts";
import type { WatchedModel } from "./watched-model.ts";

/**
 * Asks the language model whether it answers, and says so when it does not: cause and cure in one line.
 *
 * @returns whether waiting for it is in vain: only the person can mend it
 */
export async function tellModel(
  { model }: { readonly model: WatchedModel },
  tell: (line: string) => void,
): Promise<boolean> {
  const about = await model.about();
  const line = modelLine(about);
  if (line !== undefined) tell(`scouts: ${line} (${about.state.code})`);
  return isMisconfigured(about);
}
