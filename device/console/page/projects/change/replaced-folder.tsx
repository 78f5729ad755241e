import { type QueryClient, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { line } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { Problem } from "../../form/problem.tsx";
import { useChange } from "../../scouts/queries.ts";

const keyOf = (id: string) => ["replaced", id];

/** The folder that a project had until it was given another. */
export interface Replaced {
  readonly path: string;
  /** What the person had said of it holds for the other one too. */
  readonly keepsSettings: boolean;
  /** It is no more where it was, and this is what became of it. */
  readonly keepsFiles: boolean;
}

/** Notes which folder a project had; it is said on its page. */
export const keepReplaced = (client: QueryClient, id: string, replaced: Replaced | null): void =>
  void client.setQueryData(keyOf(id), replaced);

/** Says which folder a project has had before, and leads back to it. */
export function ReplacedFolder({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: replaced } = useQuery<Replaced | null>({ queryKey: keyOf(id), queryFn: skipToken });
  const back = useChange(
    (folder: string) => [t("projects.linkBack"), folder],
    (folder: string) => answerOf(api.projects[":id"].folder.$post({ param: { id }, json: { path: folder } })),
    () => keepReplaced(client, id, null),
  );
  if (replaced == null) return null;
  const { path, keepsSettings, keepsFiles } = replaced;
  return (
    <div className="trouble" role="status">
      <p>
        {t(keepsFiles ? "projects.moved" : "projects.replaced")} <bdi>{line(path)}</bdi>
      </p>
      {keepsSettings && <p>{t("projects.keepsSettings")}</p>}
      <div className="buttons">
        {!keepsFiles && (
          <Button isDisabled={back.isPending} onPress={() => back.mutate(path)}>
            {t("projects.linkBack")}
          </Button>
        )}
        <Button onPress={() => keepReplaced(client, id, null)}>{t("projects.replacedSeen")}</Button>
      </div>
      <Problem error={back.error} />
    </div>
  );
}
