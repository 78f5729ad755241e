import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../app/api.ts";
import { dateText } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { Confirm } from "../../form/confirm.tsx";
import { Problem } from "../../form/problem.tsx";
import { useDeed } from "../../form/use-deed.ts";
import { type NamedFile, restore, type Version } from "./queries.ts";
import { isAsked } from "./refused.tsx";

interface RestoreProps {
  readonly named: NamedFile;
  readonly version: Version;
  /** Of the file that one has seen compared: another one is not written over. */
  readonly currentHash: string | null;
  readonly isSame: boolean;
  /** The file is another by now than was seen. */
  readonly onOutdated: () => void;
  readonly onRestored: () => void;
}

/** Brings a version back, when it was seen what that changes and was confirmed. */
export function Restore({ named, version, currentHash, isSame, onOutdated, onRestored }: RestoreProps) {
  const { t, i18n } = useTranslation();
  const client = useQueryClient();
  const at = dateText(version.at, i18n.language);
  const bring = useDeed({
    called: [t("projects.restore"), at],
    mutationFn: (approves: boolean) => restore(named, { version: version.id, currentHash, approves }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["files", named.id] });
      onRestored();
    },
    onError: (error) => error instanceof ApiError && error.told.code === "file_conflict" && onOutdated(),
  });
  return (
    <div className="restore">
      <div className="buttons">
        <Confirm
          button={t("projects.restore")}
          title={t("projects.restoreTitle", { at })}
          hint={version.isDeletion ? t("projects.restoreDeletion") : t("projects.restoreHint")}
          isDisabled={isSame}
          isPending={bring.isPending}
          onConfirm={() => bring.mutate(false)}
        />
        {bring.error !== null && isAsked(bring.error) && (
          <Button isPending={bring.isPending} onPress={() => bring.mutate(true)}>
            {t("projects.restoreAnyway")}
          </Button>
        )}
      </div>
      <Problem error={bring.error} />
    </div>
  );
}
