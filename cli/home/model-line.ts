import { modelTrouble } from "../../device/doctor/model-trouble.ts";
import type { HomeAbout } from "../../events/health.ts";
import { printable } from "../output/printable.ts";

/** One line with cause and cure about a language model that cannot be used; undefined for one that answers. */
export function modelLine(model: HomeAbout["model"]): string | undefined {
  const trouble = modelTrouble(model);
  return trouble && printable(`${trouble.detail} ${trouble.advice ?? ""}`);
}
