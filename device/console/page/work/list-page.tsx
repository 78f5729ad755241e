import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Form } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { useKeys } from "../app/keys.ts";
import { line } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Problem, problemAt } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useTypedText } from "../form/use-typed.ts";
import { SearchBox } from "../inbox/search-box.tsx";
import type { SearchWords } from "../inbox/search-words.ts";
import { Missing } from "../states/missing.tsx";
import { Empty, Failed, Loading } from "../states/states.tsx";
import { FromProposal } from "./from-proposal.tsx";
import { type Kind, paths } from "./kinds.ts";
import { type Paged, usePaged } from "./paged.ts";
import { useAdd } from "./queries.ts";
import { Rows } from "./rows.tsx";
import { WorkFrame } from "./work-frame.tsx";

interface Row {
  readonly id: string;
  /** The proposal it came from. */
  readonly from: string | null;
}

/** What is shown of a note, a person or a fact in a list. */
interface Listed {
  readonly title: string;
  readonly about: ReactNode;
  readonly begins: string;
}

interface ListPageProps<T> {
  readonly kind: Kind;
  readonly title: string;
  readonly words: SearchWords;
  /** The label of the box that a new one is typed into, and the field it fills. */
  readonly adds: { readonly label: string; readonly field: string };
  readonly empty: { readonly title: string; readonly hint: string };
  readonly load: (request: { words: string; from: number }) => Promise<{ rows: readonly T[]; total: number }>;
  readonly shown: (row: T) => Listed;
  readonly tools?: ReactNode;
}

/** A list of one kind that is found by its words, and where a new one is begun. */
export function ListPage<T extends Row>({ kind, title, words, adds, empty, load, shown, tools }: ListPageProps<T>) {
  const { t } = useTranslation();
  const searched = words.use();
  const { value: typed, type, sent } = useTypedText(`new ${kind}`);
  const add = useAdd(kind, (_, said) => sent(String(said[adds.field])));
  useKeys({ n: () => document.querySelector<HTMLElement>(".quick-add input")?.focus() });
  return (
    <WorkFrame title={title}>
      <Form
        className="quick-add"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate({ [adds.field]: typed });
        }}
      >
        <TextBox label={adds.label} value={typed} problem={problemAt(add.error, adds.field)} onChange={type} />
        <Button type="submit" className="primary" isDisabled={typed.trim() === "" || add.isPending}>
          {t("work.add")}
        </Button>
        <Problem error={add.error} fields={[adds.field]} />
      </Form>
      <div className="work-tools">
        <SearchBox words={words} hint={t("work.searchHint")} longest={200} />
        {tools}
      </div>
      <Found key={searched} {...{ kind, title, empty, load, shown, searched }} />
    </WorkFrame>
  );
}

type FoundProps<T> = Pick<ListPageProps<T>, "kind" | "title" | "empty" | "load" | "shown"> & {
  readonly searched: string;
};

function Found<T extends Row>({ kind, title, empty, load, shown, searched }: FoundProps<T>) {
  const { t } = useTranslation();
  const list: Paged<T> = usePaged([kind, "list", searched], (from) => load({ words: searched, from }));
  if (list.error !== null) return <Failed error={list.error} onRetry={list.retry} />;
  if (list.total === undefined) return <Loading />;
  return (
    <>
      <p className="inbox-count" role="status">
        {t("work.count", { count: list.total })}
      </p>
      <Missing of={list.older} />
      {list.total === 0 && (
        <Empty
          title={searched === "" ? empty.title : t("inbox.nothingFound")}
          hint={searched === "" ? empty.hint : t("inbox.nothingFoundHint")}
        />
      )}
      <Rows
        label={title}
        name={JSON.stringify([kind, searched])}
        isPrivate={searched !== ""}
        list={list}
        row={(row) => {
          const { title: name, about, begins } = shown(row);
          return (
            <div className="work-card">
              <p>
                <Link to="/work/$kind/$id" params={{ kind: paths[kind], id: row.id }}>
                  <bdi>{line(name)}</bdi>
                </Link>
              </p>
              <p className="about">
                {about}
                <FromProposal id={row.from} />
              </p>
              {begins !== "" && (
                <p className="work-begins" dir="auto">
                  {line(begins)}
                </p>
              )}
            </div>
          );
        }}
      />
    </>
  );
}
