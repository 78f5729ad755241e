/**
 * Sources whose licence or origin forbids shipping what was trained on them: phishing_pot is CC BY-NC 4.0; of the others
 * the licence is unknown, for research, or a copyleft of program texts.
 */
const evaluateOnly: ReadonlySet<string> = new Set([
  "phishing_pot",
  "nazario",
  "ccert_zh",
  "mailman_i18n",
  "prestashop_mails",
]);

/** Whether a source's mail may go into weights that ship. */
export function mayTrain({ source }: { readonly source: string }): boolean {
  return !evaluateOnly.has(source);
}
