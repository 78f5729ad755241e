import { checkMail } from "../../device/doctor/running-checks.ts";
import type { HomeAbout } from "../../events/health.ts";
import { printable } from "../output/printable.ts";

/** One line with cause and cure about mail on this machine, while some or all of it cannot be read, or some is read twice; undefined otherwise. */
export function mailLine(about: Pick<HomeAbout, "mail" | "mailAway" | "mailUnread" | "mailTwice">): string | undefined {
  const { name, state, detail, advice = "" } = checkMail(about);
  return state === "ok" ? undefined : printable(`${name}: ${detail}. ${advice}`);
}
