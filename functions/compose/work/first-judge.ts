import type { FirstJudge } from "../../../shared/scouts/triage/cascade.ts";
import { setting } from "../../environment.ts";
import { once } from "../../once.ts";

/** Loaded for the first item: a home that does without never reads the weights. */
const builtIn = once(async () => {
  const [{ shippedClassifier }, { opinionOf }] = await Promise.all([
    import("../../../infra/model/triage/shipped.ts"),
    import("../../../infra/model/triage/verdict.ts"),
  ]);
  return { classifier: shippedClassifier(), opinionOf };
});

/** The built-in model as the one that is asked first, where the home has it so. @throws configuration_invalid */
export function firstJudge(): { readonly first?: FirstJudge } {
  if (setting("TRIAGE_CASCADE") === "off") return {};
  const first: FirstJudge = {
    async judge(prompt) {
      const { classifier, opinionOf } = await builtIn();
      return prompt.map((text) => opinionOf(classifier, text));
    },
  };
  return { first };
}
