import { Link } from "@tanstack/react-router";
import type { InferResponseType } from "hono/client";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { api } from "../app/api.ts";
import { dateText, line, part } from "../app/shown-text.ts";
import { whenText } from "../decide/when-text.ts";
import { PlaceButton } from "../place/place-button.tsx";
import { type Kind, paths } from "../work/kinds.ts";

type Answer = InferResponseType<typeof api.search.$post>;
type FileHit = Answer["files"][number];
type WorkHit = Answer["work"][number];
type Line = FileHit["lines"][number];

/** Kinds of work in the order they are shown, and the command that shows one that has no page. */
const kinds = [
  ["proposal", ""],
  ["task", ""],
  ["event", ""],
  ["note", ""],
  ["person", ""],
  ["memory", ""],
  ["answer", ""],
  ["artifact", "artifacts show"],
] as const;

const isWork = (kind: WorkHit["kind"]): kind is Kind => Object.hasOwn(paths, kind);

/** What was found, by kind. */
export function Hits({ projects, files, work }: Pick<Answer, "projects" | "files" | "work">) {
  return (
    <div className="hits">
      <Group name="projects">
        {projects.map(({ id, name }) => (
          <li key={id} className="hit">
            <Link to="/projects/$id" params={{ id }} className="hit-title">
              <bdi>{line(name)}</bdi>
            </Link>
          </li>
        ))}
      </Group>
      <Group name="files">
        {files.map((hit) => (
          <File key={`${hit.projectId} ${hit.path}`} hit={hit} />
        ))}
      </Group>
      {kinds.map(([kind, command]) => (
        <Group key={kind} name={kind}>
          {work
            .filter((hit) => hit.kind === kind)
            .map((hit) => (
              <Work key={hit.id} hit={hit} command={command === "" ? "" : `scouts ${command} ${hit.id}`} />
            ))}
        </Group>
      ))}
    </div>
  );
}

function Group({
  name,
  children,
}: {
  readonly name: "projects" | "files" | WorkHit["kind"];
  readonly children: readonly ReactNode[];
}) {
  const { t } = useTranslation();
  if (children.length === 0) return null;
  return (
    <section aria-label={t(`hitKind.${name}`)}>
      <h2>{t(`hitKind.${name}`)}</h2>
      <ul>{children}</ul>
    </section>
  );
}

function File({
  hit: { projectId, project, path, place, summary, mtimeMs, lines, alike, learntFrom, hasChanged },
}: {
  readonly hit: FileHit;
}) {
  const { t, i18n } = useTranslation();
  const from = place === null ? "" : `:${place.startLine}–${place.endLine}`;
  return (
    <li className="hit">
      <p>
        <Link to="/projects/$id" params={{ id: projectId }}>
          {line(project)}
        </Link>{" "}
        <PlaceButton place={{ projectId, path, line: lines[0]?.line ?? place?.startLine ?? 1 }}>
          <bdi className="hit-title">{`${line(path)}${from}`}</bdi>
        </PlaceButton>
      </p>
      <p className="hit-about">
        {place !== null && place.heading !== "" && <bdi>{line(place.heading)}</bdi>}
        <span>{dateText(mtimeMs, i18n.language)}</span>
      </p>
      {lines.length === 0 ? <p dir="auto">{line(summary)}</p> : <Lines lines={lines} />}
      {hasChanged && <p className="hit-about">{t("search.changed")}</p>}
      {learntFrom !== null && <p className="hit-about">{t("search.learnt", { question: line(learntFrom) })}</p>}
      {alike.length > 0 && <p className="hit-about">{t("search.alike", { paths: alike.map(line).join(", ") })}</p>}
    </li>
  );
}

function Work({
  hit: { kind, id, title, sender, atMs, when, lines },
  command,
}: {
  readonly hit: WorkHit;
  readonly command: string;
}) {
  const { t, i18n } = useTranslation();
  const name = line(title) || t("card.noSubject");
  return (
    <li className="hit">
      <p>
        {kind === "proposal" ? (
          <Link to="/items/$id" params={{ id }} className="hit-title">
            <bdi>{name}</bdi>
          </Link>
        ) : kind === "answer" ? (
          <Link to="/ask/$id" params={{ id }} className="hit-title">
            <bdi>{name}</bdi>
          </Link>
        ) : isWork(kind) ? (
          <Link to="/work/$kind/$id" params={{ kind: paths[kind], id }} className="hit-title">
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi className="hit-title">{name}</bdi>
        )}
      </p>
      <p className="hit-about">
        {sender !== "" && <bdi>{line(sender)}</bdi>}
        <span>{when === null ? dateText(atMs, i18n.language) : whenText(when, i18n.language)}</span>
        {command !== "" && <code>{command}</code>}
      </p>
      <Lines lines={lines} />
    </li>
  );
}

/** The lines that hold what was asked for; text, whatever stands in them. */
function Lines({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <div className="hit-lines" dir="auto">
      {lines.map(({ line: number, parts }) => (
        <p key={number}>
          {parts.map(({ text, isMatch }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have their places and no other name
            isMatch ? <mark key={at}>{part(text)}</mark> : <span key={at}>{part(text)}</span>,
          )}
        </p>
      ))}
    </div>
  );
}
