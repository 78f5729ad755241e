import { useTranslation } from "react-i18next";
import "../form/form.css";
import "./welcome.css";
import { InlineScoutCreationStepper } from "../add/inline-scout-creation-stepper.tsx";
import { LinkFolderForm } from "../folders/link-folder-form.tsx";
import { Failed, Loading } from "../states/states.tsx";
import { SampleButton } from "./sample-button.tsx";
import { useWelcome } from "./use-welcome.ts";

/** The ways to begin: a source, a folder, or the sample. */
export function WelcomePage() {
  const { t } = useTranslation();
  const welcome = useWelcome();
  if (welcome.isPending) return <Loading />;
  if (welcome.isError) return <Failed error={welcome.error} onRetry={() => void welcome.refetch()} />;
  return (
    <section className="page welcome">
      <div>
        <h1>{t("welcome.title")}</h1>
        {welcome.data.isEmpty && <p>{t("welcome.hint")}</p>}
      </div>
      <section className="panel" aria-labelledby="welcome-source">
        <h2 id="welcome-source">{t("welcome.source")}</h2>
        <InlineScoutCreationStepper />
      </section>
      <section className="panel" aria-labelledby="welcome-folder">
        <h2 id="welcome-folder">{t("welcome.folder")}</h2>
        <LinkFolderForm />
      </section>
      {welcome.data.hasSample && (
        <section className="panel" aria-labelledby="welcome-sample">
          <h2 id="welcome-sample">{t("welcome.sample")}</h2>
          <p className="hint">{t("welcome.sampleHint")}</p>
          <SampleButton />
        </section>
      )}
    </section>
  );
}
