import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useKeys } from "../app/keys.ts";
import { searchFor, useSearchWords } from "./search-words.ts";

/** Typing pauses for so long before it is searched for. */
const pauseMs = 150;
const longest = 200;

/** Finds proposals by what their subject, sender, beginning or reason says. */
export function SearchBox() {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState(useSearchWords());
  useEffect(() => {
    const timer = setTimeout(() => searchFor(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  useKeys({ "/": () => document.getElementById(id)?.focus() });
  return (
    <search className="search-box">
      <label htmlFor={id}>{t("filter.search")}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={longest}
        placeholder={t("filter.searchHint")}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === "Enter" && searchFor(typed)}
      />
    </search>
  );
}
