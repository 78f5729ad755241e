import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { SourceKind } from "../scouts/queries.ts";
import { SourceName } from "../scouts/source-name.tsx";

interface KindStepProps {
  readonly kinds: readonly SourceKind[];
  readonly onChoose: (kind: SourceKind) => void;
}

/** Which source it is to be, of those the home reads. */
export function KindStep({ kinds, onChoose }: KindStepProps) {
  const { t, i18n } = useTranslation();
  return (
    <ul className="kinds" aria-label={t("step.source")}>
      {kinds.map((kind) => {
        const about = `kindHint.${kind.source}`;
        return (
          <li key={kind.source}>
            <Button onPress={() => onChoose(kind)}>
              <strong>
                <SourceName source={kind.source} />
              </strong>
              <span className="hint">{i18n.exists(about) ? t(about) : t("add.otherHint")}</span>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
