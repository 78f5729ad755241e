/** Controls but tab, lone surrogates, private use and unassigned code points. */
const hostile = /(?!\t)[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu;
/** Bidi controls, which make code read otherwise than it runs (CVE-2021-42574), and what shows nothing of itself. */
const invisible = /(?!\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** Text of a file for a terminal: indentation stays, what could act on the terminal or hide is shown as `�`. */
export function printableCode(text: string): string {
  return text
    .replace(/\r?\n$/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(invisible, "\ufffd").replace(hostile, "\ufffd"))
    .join("\n");
}
