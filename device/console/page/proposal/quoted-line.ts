/** How the built-in model begins (infra/model/triage/reason.ts). */
const ownWords = /^(?:Looks wanted|Looks unwanted|May be unwanted, hard to tell): “(?<quote>.*?)”(?= from |; it |$)/;

/** The line of a mail that a reason of the built-in model quotes; undefined of any other, whose sentence says more than what it quotes. */
export const quotedLine = (reason: string): string | undefined => ownWords.exec(reason)?.groups?.["quote"];
