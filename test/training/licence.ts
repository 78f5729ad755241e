/** Sources whose licence forbids shipping what was trained on them: phishing_pot is CC BY-NC 4.0. */
const evaluateOnly: ReadonlySet<string> = new Set(["phishing_pot"]);

/** Whether a source's mail may go into weights that ship. */
export function mayTrain({ source }: { readonly source: string }): boolean {
  return !evaluateOnly.has(source);
}
