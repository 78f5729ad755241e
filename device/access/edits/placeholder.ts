/** A comment, alone on its line, that stands for code somebody did not want to write out. */
const comment = /^(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*|\(\*|"""|'''|rem\b)(.*?)(?:\*\/\}?|-->|\*\))?$/i;
/** A longer line says more than that something was left out. */
const mostCharacters = 200;
const mostSaid = 120;
const dots = String.raw`(?:\.{3}|…)`;
const omission = new RegExp(
  `^(?:${dots}\\s*)?(?:\\(|\\[)?(?:the )?(?:(?:rest|remainder) of (?:the |your |this )?(?:\\w+ ){0,3}\\w+|(?:existing|previous|other|remaining|original|unchanged) (?:\\w+ )?(?:code|content|implementation|methods?|functions?|lines?|logic|imports?|tests?|fields?|properties)|(?:code|everything)(?: \\w+)? (?:remains|stays|is)? ?(?:unchanged|(?:the )?same)|(?:same|unchanged|omitted)(?: as (?:before|above))?)(?: (?:here|remains?|stays?|is|goes|continues?|unchanged|the same|as before|omitted|for brevity|below|above))*(?:\\)|\\])?(?:\\s*${dots})?$`,
  "i",
);

/** Whether a line says that code was left out (`// ... rest of code unchanged ...`) instead of being code. */
export function isPlaceholder(line: string): boolean {
  const text = line.trim();
  const said = text.length > mostCharacters ? undefined : comment.exec(text)?.[1]?.trim();
  if (said === undefined || said.length > mostSaid) return false;
  const hasDots = /\.{3}|…/.test(said);
  return omission.test(said) && (hasDots || /unchanged|the same|omitted|as before|existing code|rest of/i.test(said));
}
