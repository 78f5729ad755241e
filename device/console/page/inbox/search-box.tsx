import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import "./search-box.css";
import { useKeys } from "../app/keys.ts";
import type { SearchWords } from "./search-words.ts";

/** Typing pauses for so long before it is searched for. */
const pauseMs = 150;

interface SearchBoxProps {
  readonly words: SearchWords;
  /** What may be typed. */
  readonly hint: string;
  readonly longest: number;
  /** What is typed is what the page is for. */
  readonly takesFocus?: boolean;
}

/** Takes what is searched for, as it is typed. */
export function SearchBox({ words, hint, longest, takesFocus = false }: SearchBoxProps) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState(words.use());
  // Nothing of it is cut unasked, and its beginning is not what is looked for.
  const isTooLong = typed.trim().length > longest;
  useEffect(() => {
    if (isTooLong) return;
    const timer = setTimeout(() => words.search(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, words, isTooLong]);
  useEffect(() => {
    if (takesFocus) document.getElementById(id)?.focus();
  }, [takesFocus, id]);
  useKeys({ "/": () => document.getElementById(id)?.focus() });
  return (
    <search className="search-box">
      <label htmlFor={id}>{t("filter.search")}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isTooLong}
        aria-describedby={isTooLong ? `${id}-problem` : undefined}
        placeholder={hint}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === "Enter" && !isTooLong && words.search(typed)}
      />
      {isTooLong && (
        <p id={`${id}-problem`} className="problem" role="alert">
          {t("filter.searchTooLong", { most: longest })}
        </p>
      )}
    </search>
  );
}
