import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { useIsHere } from "../form/is-here.ts";
import { Problem } from "../form/problem.tsx";
import { useChange } from "../scouts/queries.ts";

/** Loads the mail that comes with the program. */
export function SampleButton() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const load = useChange(
    () => answerOf(api.sample.$post()),
    () => void (isHere() && navigate({ to: "/inbox" })),
  );
  return (
    <div className="form">
      <Problem error={load.error} />
      <div className="buttons">
        <Button isDisabled={load.isPending} onPress={() => load.mutate(undefined)}>
          {load.isPending ? t("add.checking") : t("welcome.load")}
        </Button>
      </div>
    </div>
  );
}
