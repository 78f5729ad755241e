import { useMutation } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { isOfWholePage } from "../app/api.ts";
import { Choice } from "../app/choice.tsx";
import { choose } from "../app/preferences.ts";
import { isLanguage, type Language, languages } from "../app/texts.ts";
import { Problem } from "../form/problem.tsx";

const ways = [
  ["/", "nav.brief"],
  ["/inbox", "nav.inbox"],
  ["/dismissed", "nav.dismissed"],
  ["/search", "nav.search"],
  ["/ask", "nav.ask"],
  ["/projects", "nav.projects"],
  ["/work", "nav.work"],
  ["/scouts", "nav.scouts"],
  ["/activity", "nav.activity"],
  ["/usage", "nav.usage"],
  ["/settings", "nav.settings"],
] as const;

/** Pages that stand in a room whose own address begins otherwise. */
const roomOf: Readonly<Record<string, string>> = { items: "inbox", unsaved: "projects" };

/** Names the tab by the room one is in, for who has several and who hears them read. What is in it is in no title: browsers keep those. */
function useTitle(path: string): void {
  const { t } = useTranslation();
  const [, first = ""] = path.split("/");
  const way = ways.find(([to]) => to === `/${roomOf[first] ?? first}`);
  const name = way === undefined ? "" : t(way[1]);
  useEffect(() => {
    document.title = name === "" ? "Scouts" : `${name} · Scouts`;
  }, [name]);
}

/** Where one can go, and in which language. In a small window one button opens it (little-room.css); a page that is chosen closes it. */
export function Bar() {
  const { t, i18n } = useTranslation();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(path);
  if (at !== path) {
    setAt(path);
    setOpen(false);
  }
  useTitle(path);
  const bar = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const speak = useMutation({ mutationFn: (language: Language) => choose({ language }) });
  const pages = useRef<HTMLDivElement>(null);
  // Whoever chose a page by keyboard stands at what is not shown any more.
  useLayoutEffect(() => {
    if (!isOpen && pages.current?.contains(document.activeElement)) button.current?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    // Not where a list or a dialog is open, which has the focus and is closed by it.
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape" && bar.current?.contains(document.activeElement)) setOpen(false);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOpen]);
  return (
    <header className={isOpen ? "bar is-open" : "bar"} ref={bar}>
      <span className="brand">Scouts</span>
      <nav aria-label={t("nav.label")}>
        <Button
          ref={button}
          className="menu-button"
          aria-expanded={isOpen}
          aria-controls="pages"
          onPress={() => setOpen(!isOpen)}
        >
          {t("nav.menu")}
        </Button>
        <div id="pages" className="pages" ref={pages}>
          {ways.map(([to, name]) => (
            <Link key={to} to={to} activeOptions={{ exact: to === "/" }} onClick={() => setOpen(false)}>
              {t(name)}
            </Link>
          ))}
        </div>
      </nav>
      <Choice
        label={t("language")}
        value={i18n.language}
        options={Object.entries(languages)}
        onChange={(language) => isLanguage(language) && speak.mutate(language)}
      />
      {speak.error !== null && !isOfWholePage(speak.error) && <Problem error={speak.error} />}
    </header>
  );
}
