import { age } from "../../device/age.ts";
import type { Broken } from "../../device/brief/broken.ts";
import { isKnownCode, sentenceOf } from "../../device/errors.ts";
import { asWord } from "../../device/shell-words.ts";
import { failingLine, troubleLine } from "../../device/sources/trouble.ts";
import { checkLine } from "../home/mail-line.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { waitingLine } from "../scouts/shown/waiting.ts";

/** Lines of what is broken; the rest by number. */
const mostShown = 3;

/** What is broken, a line each with its cure; nothing where all is well. */
export function showBroken(output: Output, broken: readonly Broken[], nowMs: number): void {
  if (broken.length === 0) return;
  output.line(`\n${output.style("bold", "To be mended")}`);
  for (const each of broken.slice(0, mostShown)) {
    output.line(output.style("yellow", `  ${printable(lineOf(each, nowMs))}`));
  }
  if (broken.length > mostShown) output.line(`  and ${broken.length - mostShown} more: scouts doctor`);
}

function lineOf(broken: Broken, nowMs: number): string {
  switch (broken.what) {
    case "offline": {
      const { code, since } = broken;
      const heard = since === null ? "now" : age(since, nowMs);
      const how = heard === "now" ? "" : ` (last heard from it ${heard} ago)`;
      const why = code !== null && isKnownCode(code) ? ` ${sentenceOf(code)}` : "";
      return `This device does not reach its home, so nothing new arrives${how}.${why} To mend it: scouts up, or scouts connect`;
    }
    case "home":
      return `The home does not say how its scouts fare: ${broken.error.message}`;
    case "off":
      return troubleLine(broken.trouble, nowMs);
    case "failing":
      return failingLine(broken.failing, nowMs);
    case "mail":
      return checkLine(broken.check);
    case "waiting":
      return waitingLine(broken.cause, nowMs);
    case "folder": {
      const { name, trouble } = broken.folder;
      return `${name}: ${trouble.sentence || trouble.code} Then: scouts project rescan ${asWord(name)}`;
    }
  }
}

/** The same for programs. */
export const brokenForPrograms = (broken: readonly Broken[]) =>
  broken.map((each) => (each.what === "home" ? { what: each.what, code: each.error.code } : each));
