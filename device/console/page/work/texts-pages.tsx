import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { dateText, line } from "../app/shown-text.ts";
import { searchWords } from "../inbox/search-words.ts";
import { ExportButton } from "./files.tsx";
import { ListPage } from "./list-page.tsx";

const noteWords = searchWords();
const peopleWords = searchWords();
const factWords = searchWords();

/** What a person keeps in words. */
export function NotesPage() {
  const { t, i18n } = useTranslation();
  return (
    <ListPage
      kind="note"
      title={t("work.nav.notes")}
      words={noteWords}
      adds={{ label: t("work.newNote"), field: "title" }}
      empty={{ title: t("work.noNotes"), hint: t("work.noNotesHint") }}
      tools={<ExportButton label={t("work.exportNotes")} request={{ what: "notes" }} />}
      load={(request) => answerOf(api.work.notes.page.$post({ json: request }))}
      shown={({ title, begins, updatedAt }) => ({
        ...{ title, begins },
        about: <span>{dateText(updatedAt, i18n.language)}</span>,
      })}
    />
  );
}

/** Whom a person knows. */
export function PeoplePage() {
  const { t } = useTranslation();
  return (
    <ListPage
      kind="person"
      title={t("work.nav.people")}
      words={peopleWords}
      adds={{ label: t("work.newPerson"), field: "name" }}
      empty={{ title: t("work.noPeople"), hint: t("work.noPeopleHint") }}
      load={(request) => answerOf(api.work.people.page.$post({ json: request }))}
      shown={({ name, begins, addresses }) => ({
        ...{ title: name, begins },
        about: addresses.map((address) => <bdi key={address}>{line(address)}</bdi>),
      })}
    />
  );
}

/** What is to be remembered, with where it is from and since when. */
export function MemoryPage() {
  const { t, i18n } = useTranslation();
  return (
    <ListPage
      kind="memory"
      title={t("work.nav.memory")}
      words={factWords}
      adds={{ label: t("work.newFact"), field: "fact" }}
      empty={{ title: t("work.noFacts"), hint: t("work.noFactsHint") }}
      load={(request) => answerOf(api.work.memory.page.$post({ json: request }))}
      shown={({ fact, source, createdAt }) => ({
        ...{ title: fact, begins: "" },
        about: (
          <>
            {source !== "" && <bdi>{line(source)}</bdi>}
            <span>{dateText(createdAt, i18n.language)}</span>
          </>
        ),
      })}
    />
  );
}
