import type { Check } from "../../device/doctor/checks.ts";
import { checkMail } from "../../device/doctor/running-checks.ts";
import type { HomeAbout } from "../../events/health.ts";
import { printable } from "../output/printable.ts";

/** One line with cause and cure about mail on this machine, while some or all of it cannot be read, or some is read twice; undefined otherwise. */
export function mailLine(about: Pick<HomeAbout, "mail" | "mailAway" | "mailUnread" | "mailTwice">): string | undefined {
  const check = checkMail(about);
  return check.state === "ok" ? undefined : checkLine(check);
}

/** What a check has found and what to do, in one line. */
export const checkLine = ({ name, detail, advice = "" }: Check): string => printable(`${name}: ${detail}. ${advice}`);
