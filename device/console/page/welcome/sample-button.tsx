import { useTranslation } from "react-i18next";
import { answerOf, api } from "../app/api.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { useGo } from "../routes/go.ts";
import { useChange } from "../scouts/queries.ts";

/** Loads the mail that comes with the program. */
export function SampleButton() {
  const { t } = useTranslation();
  const go = useGo();
  const load = useChange(
    [t("welcome.load")],
    () => answerOf(api.sample.$post()),
    () => void go({ to: "/inbox" }),
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
