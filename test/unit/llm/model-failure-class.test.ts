import { describe, expect, test } from "vitest";
import { errorCodes, errorKinds } from "../../../events/error-kinds.ts";
import { modelFailureClass } from "../../../shared/llm/model-failure-class.ts";

describe("P2: a failed request to a model has one class, which says whose affair it is", () => {
  const modelCodes = errorCodes.filter((code) => code.startsWith("model_"));

  test("every code of the model has a class, no other code has", () => {
    expect(errorCodes.filter((code) => modelFailureClass(code) !== undefined)).toEqual(modelCodes);
  });

  test("nothing that another request would meet as well ends an item", () => {
    const shared = modelCodes.filter((code) => ["configuration", "busy"].includes(modelFailureClass(code) ?? ""));
    expect(shared.filter((code) => errorKinds[code].retry === "never")).toEqual([]);
  });
});
