import { useTranslation } from "react-i18next";
import { lines } from "../../app/shown-text.ts";

/** More lines than anybody reads; a browser lays them out in a moment. */
const mostLines = 3_000;

type Sort = "added" | "removed" | "place" | "same";

interface Block {
  readonly sort: Sort;
  readonly text: string;
}

function sortOf(text: string, isHead: boolean): Sort {
  if (text.startsWith("@@") || isHead) return "place";
  if (text.startsWith("+")) return "added";
  return text.startsWith("-") ? "removed" : "same";
}

/** Lines of one sort together: a difference of many lines is few nodes. */
function blocksOf(all: readonly string[]): Block[] {
  const blocks: { sort: Sort; text: string }[] = [];
  let isHead = true;
  for (const text of all) {
    if (text.startsWith("@@")) isHead = false;
    const sort = sortOf(text, isHead);
    const last = blocks.at(-1);
    if (last?.sort === sort) last.text += `\n${text}`;
    else blocks.push({ sort, text });
  }
  return blocks;
}

/** What two states of a file differ in. Each line's first character says what it is, and its colour as well. */
export function DiffText({ diff, isCut }: { readonly diff: string; readonly isCut: boolean }) {
  const { t } = useTranslation();
  const all = lines(diff).replace(/\n$/, "").split("\n");
  const blocks = blocksOf(all.slice(0, mostLines));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard (WCAG 2.1.1) */}
      <section className="diff" aria-label={t("projects.difference")} tabIndex={0}>
        {blocks.map(({ sort, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a difference does not change while it is shown
          <pre key={index} className={`diff-${sort}`}>
            {text}
          </pre>
        ))}
      </section>
      {(isCut || all.length > mostLines) && <p className="hint">{t("projects.diffCut")}</p>}
    </>
  );
}
