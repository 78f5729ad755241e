import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Choice } from "../app/choice.tsx";
import type { InboxSearch } from "../app/router.tsx";
import { line } from "../app/shown-text.ts";
import { type Narrowed, useCounts, useScouts } from "./proposals.ts";

/** No value of any filter. */
const all = "all";
const statuses = ["pending", "approved", "rejected", "expired"] as const;

/** What the list is narrowed to; it stands in the address, but for the words. */
export function Filters({ narrowed }: { readonly narrowed: Narrowed }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: counts } = useCounts(narrowed);
  const { data: scouts = [] } = useScouts();
  const { words: _, ...search } = narrowed;
  const nameOf = (id: string) => line(scouts.find((scout) => scout.id === id)?.name ?? "") || id;
  const counted = (text: string, count: number) => t("filter.counted", { text, count });
  const narrow = (name: keyof InboxSearch, none: string) => (value: string) => {
    const { [name]: _, ...rest } = search;
    void navigate({ to: "/inbox", search: value === none ? rest : { ...rest, [name]: value } });
  };
  const found = counts ?? { scouts: {}, reasons: {}, notSearched: 0 };
  const scoutIds = Object.entries(withChosen(found.scouts, search.scout));
  const reasons = Object.entries(withChosen(found.reasons, search.why));
  return (
    <div className="filters">
      <Choice
        label={t("filter.status")}
        value={search.status ?? "pending"}
        options={statuses.map((status) => [status, t(`filter.${status}`)] as const)}
        onChange={narrow("status", "pending")}
      />
      <Choice
        label={t("filter.scout")}
        value={search.scout ?? all}
        options={[[all, t("filter.all")], ...scoutIds.map(([id, n]) => [id, counted(nameOf(id), n)] as const)]}
        onChange={narrow("scout", all)}
      />
      <Choice
        label={t("filter.why")}
        value={search.why ?? all}
        options={[[all, t("filter.all")], ...reasons.map(([code, n]) => [code, counted(t(`why.${code}`), n)] as const)]}
        onChange={narrow("why", all)}
      />
      {found.notSearched > 0 && <p role="status">{t("filter.notSearched", { count: found.notSearched })}</p>}
    </div>
  );
}

/** What is chosen is shown also when nothing of it is left. */
const withChosen = (counts: Readonly<Record<string, number>>, chosen: string | undefined): Record<string, number> =>
  chosen === undefined ? counts : { [chosen]: 0, ...counts };
