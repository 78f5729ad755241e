import { useState } from "react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { Choice } from "../app/choice.tsx";
import { line } from "../app/shown-text.ts";
import { type InboxSearch, inboxOrders, inboxStatuses } from "../routes/addresses.ts";
import { useGo } from "../routes/go.ts";
import { Missing } from "../states/missing.tsx";
import { type Narrowed, useChoices, useCounts, useScouts } from "./proposals.ts";

/** No value of any filter. */
const all = "all";

/** What the list is narrowed to, and its order; it stands in the address, but for the words. */
export function Filters({ narrowed }: { readonly narrowed: Narrowed }) {
  const { t } = useTranslation();
  const go = useGo();
  const { words: _, ...search } = narrowed;
  const isNarrowed = [search.scout, search.why, search.category, search.priority, search.project].some(Boolean);
  const [isOpen, setOpen] = useState(isNarrowed);
  const narrow = (name: keyof InboxSearch, none: string) => (value: string) => {
    const { [name]: _, ...rest } = search;
    void go({ to: "/inbox", search: value === none ? rest : { ...rest, [name]: value } });
  };
  return (
    <div className="filters">
      <Choice
        label={t("filter.status")}
        value={search.status ?? "pending"}
        options={inboxStatuses.map((status) => [status, t(`filter.${status}`)] as const)}
        onChange={narrow("status", "pending")}
      />
      <Choice
        label={t("filter.order")}
        value={search.by ?? "arrival"}
        options={inboxOrders.map((order) => [order, t(`filter.${order}`)] as const)}
        onChange={narrow("by", "arrival")}
      />
      <Button aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {t(isOpen ? "filter.less" : "filter.more")}
      </Button>
      {isOpen && <MoreFilters narrowed={narrowed} narrow={narrow} />}
    </div>
  );
}

interface MoreProps {
  readonly narrowed: Narrowed;
  readonly narrow: (name: keyof InboxSearch, none: string) => (value: string) => void;
}

/** What is chosen less often, each with its numbers. */
function MoreFilters({ narrowed, narrow }: MoreProps) {
  const { t } = useTranslation();
  const asked = [useCounts(narrowed), useScouts(), useChoices()] as const;
  const [{ data: counts }, { data: scouts = [] }, { data: choices }] = asked;
  const counted = (text: string, count: number) => t("filter.counted", { text, count });
  const nameOf = (id: string) => line(scouts.find((scout) => scout.id === id)?.name ?? "") || id;
  const projectOf = (id: string) => line(choices?.projects.find((each) => each.id === id)?.name ?? "") || id;
  const found = counts ?? { scouts: {}, reasons: {}, categories: {}, priorities: {}, projects: {}, notSearched: 0 };
  const filters = [
    ["scout", found.scouts, nameOf],
    ["why", found.reasons, (code: string) => t(`why.${code}`)],
    ["category", found.categories, (code: string) => t(`category.${code}`)],
    ["priority", found.priorities, (code: string) => t(`priority.${code}`)],
    ["project", found.projects, projectOf],
  ] as const;
  return (
    <>
      {filters.map(([name, ofIt, textOf]) => {
        const values = Object.entries(withChosen(ofIt, narrowed[name]));
        return (
          <Choice
            key={name}
            label={t(`filter.${name}`)}
            value={narrowed[name] ?? all}
            options={[[all, t("filter.all")], ...values.map(([id, n]) => [id, counted(textOf(id), n)] as const)]}
            onChange={narrow(name, all)}
          />
        );
      })}
      <Missing of={asked} />
      {found.notSearched > 0 && <p role="status">{t("filter.notSearched", { count: found.notSearched })}</p>}
    </>
  );
}

/** What is chosen is shown also when nothing of it is left. */
const withChosen = (counts: Readonly<Record<string, number>>, chosen: string | undefined): Record<string, number> =>
  chosen === undefined ? counts : { [chosen]: 0, ...counts };
