import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Proposal } from "../app/api.ts";
import { dateText, line, sizeText, webLink } from "../app/shown-text.ts";
import { useChoices } from "../inbox/proposals.ts";
import { Why } from "../proposal/why.tsx";
import { Missing } from "../states/missing.tsx";

/** What is known of an item beside its text. Name and address both: a name may hold another address. */
export function ItemFacts({ proposal }: { readonly proposal: Proposal }) {
  const { t, i18n } = useTranslation();
  const { sender, sentAt, relation, automatic, listId, attachments, sourceLink } = proposal;
  const link = webLink(sourceLink);
  const choices = useChoices();
  const project = choices.data?.projects.find(({ id }) => id === proposal.projectId);
  const came = [
    ...(relation === null || relation === "unknown" ? [] : [t(`relation.${relation}`)]),
    ...(automatic === true ? [t("item.automatic")] : []),
  ];
  return (
    <dl className="facts">
      {sender !== null && (
        <div>
          <dt>{t("item.from")}</dt>
          <dd>
            <bdi>{line(sender.name)}</bdi> <bdi className="address">{line(sender.address)}</bdi>
          </dd>
        </div>
      )}
      {sentAt !== null && (
        <div>
          <dt>{t("item.sent")}</dt>
          <dd>{dateText(sentAt, i18n.language)}</dd>
        </div>
      )}
      {came.length > 0 && (
        <div>
          <dt>{t("item.came")}</dt>
          <dd>{new Intl.ListFormat(i18n.language, { type: "unit" }).format(came)}</dd>
        </div>
      )}
      {listId !== null && (
        <div>
          <dt>{t("item.list")}</dt>
          <dd>
            <bdi>{line(listId)}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>{t("filter.why")}</dt>
        <dd>
          <Why proposal={proposal} isWhole />
        </dd>
      </div>
      {proposal.projectId !== null && (project !== undefined || choices.isError) && (
        <div>
          <dt>{t("filter.project")}</dt>
          <dd>
            {project !== undefined && (
              <Link to="/projects/$id" params={{ id: project.id }}>
                <bdi>{line(project.name)}</bdi>
              </Link>
            )}
            <Missing of={[choices]} />
          </dd>
        </div>
      )}
      {attachments !== null && attachments.length > 0 && (
        <div>
          <dt>{t("item.files")}</dt>
          <dd>
            <ul>
              {attachments.map(({ name, sizeBytes }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same name, and the list never changes
                <li key={at}>
                  <bdi>{line(name) || t("item.noName")}</bdi> ({sizeText(sizeBytes, i18n.language)})
                </li>
              ))}
            </ul>
          </dd>
        </div>
      )}
      {link !== undefined && (
        <div>
          <dt>{t("item.source")}</dt>
          <dd>
            <a href={link} target="_blank" rel="noopener noreferrer">
              {t("item.openSource")}
            </a>
          </dd>
        </div>
      )}
    </dl>
  );
}
