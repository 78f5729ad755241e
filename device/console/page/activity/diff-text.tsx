import { useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { lines } from "../app/shown-text.ts";

/** Lines that a browser lays out in a moment. */
const atOnce = 400;
const longestLine = 2_000;

const classOf = (text: string): string | undefined => {
  if (text.startsWith("+") && !text.startsWith("+++")) return "change-more";
  if (text.startsWith("-") && !text.startsWith("---")) return "change-less";
  return text.startsWith("@@") ? "change-place" : undefined;
};

/** What would change, line by line; text, whatever stands in it. */
export function DiffText({ diff }: { readonly diff: string }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(atOnce);
  const all = diff.replace(/\n$/, "").split("\n");
  const left = all.length - shown;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className="change" aria-label={t("activity.diff")} tabIndex={0}>
        {numbered(all.slice(0, shown)).map(({ number, text }) => (
          <div key={number} className={classOf(text)} dir="auto">
            {lines(text.slice(0, longestLine).toWellFormed()) || " "}
          </div>
        ))}
      </section>
      {left > 0 && (
        <div className="buttons">
          <Button onPress={() => setShown(shown + atOnce)}>{t("activity.moreLines", { count: left })}</Button>
        </div>
      )}
    </>
  );
}

const numbered = (texts: readonly string[]) => texts.map((text, number) => ({ number, text }));
