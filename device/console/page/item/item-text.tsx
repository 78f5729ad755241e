import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import "./item.css";
import { ApiError, answerOf, api } from "../app/api.ts";
import { Said } from "../app/said.tsx";
import { lines } from "../app/shown-text.ts";
import { Failed, Loading } from "../states/states.tsx";
import { ItemHeaders } from "./item-headers.tsx";
import { marksIn } from "./marks-in.ts";
import { textBlocks } from "./text-blocks.ts";

/** Text nodes only, whatever a mail holds. It leaves memory with the page. */
export function ItemText({ id }: { readonly id: string }) {
  const text = useQuery({
    queryKey: ["item", id],
    queryFn: () => answerOf(api.items[":id"].$get({ param: { id } })),
    gcTime: 0,
  });
  if (text.isPending) return <Loading />;
  if (text.error instanceof ApiError && text.error.told.code === "item_unknown") {
    return (
      <p className="hint">
        <Said what={text.error} />
      </p>
    );
  }
  if (text.isError) return <Failed error={text.error} onRetry={() => void text.refetch()} />;
  return (
    <>
      <div className="item-text" dir="auto">
        <Letter text={lines(text.data.text)} />
      </div>
      {text.data.header !== null && <ItemHeaders header={text.data.header} />}
    </>
  );
}

/** What stands in columns is shown in letters of one width, and goes on to the side where the window ends. */
function Letter({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  // What the first line begins with may be a part of its table.
  const letter = marksIn(text, { goesOn: t("item.goesOn"), otherText: t("item.otherText") });
  const shown = letter.replace(/^\s*\n/, "").trimEnd();
  if (shown.trim() === "") return t("item.noText");
  return textBlocks(shown).map((block, at) =>
    block.isTable ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a letter has its place and no other name
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys have to reach what goes on to the side (WCAG 2.1.1)
      <section key={at} className="item-table" tabIndex={0} aria-label={t("item.table")}>
        <pre>{block.text}</pre>
      </section>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a letter has its place and no other name
      <div key={at}>{block.text}</div>
    ),
  );
}
