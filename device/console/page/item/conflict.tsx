import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api, type Proposal } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { useDeed } from "../form/use-deed.ts";
import { proposalIsNow } from "../inbox/proposals.ts";

/** Another device has decided otherwise, and first: both are said, and the person chooses which is to stand. */
export function Conflict({ proposal }: { readonly proposal: Proposal }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, decidedElsewhere } = proposal;
  const settle = useDeed({
    called: (how) => [t(how === "yield" ? "conflict.yield" : "deed.reopen"), proposal.rawSubject ?? ""],
    mutationFn: (how: "yield" | "reopen") =>
      how === "yield"
        ? answerOf(api.proposals[":id"].decision.$delete({ param: { id } }))
        : answerOf(api.proposals[":id"].reopen.$post({ param: { id } })),
    onSuccess: ({ proposal: now }) => proposalIsNow(client, now),
  });
  return (
    <div className="trouble" role="alert">
      <p>{decidedElsewhere !== null && t(`conflict.${decidedElsewhere}`)}</p>
      <Problem error={settle.error} />
      <div className="buttons">
        <Button isPending={settle.isPending} onPress={() => settle.mutate("yield")}>
          {t("conflict.yield")}
        </Button>
        <Button isPending={settle.isPending} onPress={() => settle.mutate("reopen")}>
          {t("deed.reopen")}
        </Button>
      </div>
    </div>
  );
}
