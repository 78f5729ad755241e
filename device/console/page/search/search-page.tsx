import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { InferResponseType } from "hono/client";
import { useTranslation } from "react-i18next";
import "../inbox/inbox.css";
import "./search.css";
import { ApiError, answerOf, api } from "../app/api.ts";
import { useKeys } from "../app/keys.ts";
import { Said } from "../app/said.tsx";
import { line } from "../app/shown-text.ts";
import { SearchBox } from "../inbox/search-box.tsx";
import { searchWords } from "../inbox/search-words.ts";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { Hits } from "./hits.tsx";
import { useNotes } from "./use-notes.ts";

const words = searchWords();
const longest = 1_000;

/** The next or the previous hit from where one is. */
function step(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>(".hit a, .hit button")];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? links.indexOf(activeElement) : -1;
  links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}

/** Finds what is on the device: files, proposals, and the person's own work. */
export function SearchPage() {
  const { t } = useTranslation();
  const searched = words.use();
  useKeys({ j: () => step(1), k: () => step(-1) });
  return (
    <section className="inbox">
      <div className="inbox-head">
        <h1>{t("nav.search")}</h1>
        <SearchBox words={words} hint={t("search.hint")} longest={longest} takesFocus />
      </div>
      {searched === "" ? <Empty title={t("search.begin")} hint={t("search.beginHint")} /> : <Found words={searched} />}
    </section>
  );
}

type Note = InferResponseType<typeof api.search.$post>["notes"][number];

/** About one folder of several, and not about what was typed. */
const isOfFolder = ({ values }: Note): boolean => "project" in values;

/** What is to be known beside what was found. */
function Notes({ notes }: { readonly notes: readonly Note[] }) {
  const said = useNotes();
  return notes.map(said).map(({ text, lang }) => (
    <p key={text} className="notice" lang={lang}>
      <bdi dir="ltr">{text}</bdi>
    </p>
  ));
}

/** Of several folders one line that opens: what was found stands in sight below. */
function OfFolders({ notes }: { readonly notes: readonly Note[] }) {
  const { t } = useTranslation();
  if (notes.length < 2) return <Notes notes={notes} />;
  return (
    <details className="folded-notes">
      <summary className="notice">{t("search.ofFolders", { count: notes.length })}</summary>
      <Notes notes={notes} />
    </details>
  );
}

function Found({ words: asked }: { readonly words: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => answerOf(api.search.$post({ json: { words: asked } }, { init: { signal } })),
    // What was found is content: it stays no longer than it is shown, and may be otherwise the next time.
    gcTime: 0,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  // Only filters so far, or a project that is not there yet: it is being typed.
  if (error instanceof ApiError && error.status === 400)
    return <Empty title={t("search.begin")} hint={<Said what={error} />} />;
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const { projects, files, work, hasAll, lookedAtFiles, lookedAtWork, near, notes } = data;
  const count = projects.length + files.length + work.length;
  return (
    <>
      <p className="inbox-count" role="status">
        {t("inbox.found", { count })}
        {files.length + work.length > 0 && !hasAll && <> {t("search.nearest")}</>}
      </p>
      <Notes notes={notes.filter((note) => !isOfFolder(note))} />
      <OfFolders notes={notes.filter(isOfFolder)} />
      {count === 0 && (
        <Empty
          title={near.length === 0 ? t("inbox.nothingFound") : t("search.near", { words: near.map(line).join(", ") })}
          hint={t("search.looked", { files: lookedAtFiles, work: lookedAtWork })}
        />
      )}
      <Hits projects={projects} files={files} work={work} />
    </>
  );
}
