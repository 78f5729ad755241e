import { checkMail } from "../../device/doctor/running-checks.ts";
import type { HomeAbout } from "../../events/health.ts";
import { printable } from "../output/printable.ts";

/** One line with cause and cure about mail on this machine, while some or all of it cannot be read; undefined otherwise. */
export function mailLine(about: Pick<HomeAbout, "mail" | "mailAway" | "mailUnread">): string | undefined {
  const { name, state, detail, advice = "" } = checkMail(about);
  return state === "fail" ? printable(`${name}: ${detail}. ${advice}`) : undefined;
}
