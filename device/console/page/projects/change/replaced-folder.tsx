import { type QueryClient, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answerOf, api } from "../../app/api.ts";
import { line } from "../../app/shown-text.ts";
import { Button } from "../../form/button.tsx";
import { Problem } from "../../form/problem.tsx";
import { useChange } from "../../scouts/queries.ts";

const keyOf = (id: string) => ["replaced", id];

/** Which folder a project had until it was given another; it is said on its page. */
export const keepReplaced = (client: QueryClient, id: string, path: string | null): void =>
  void client.setQueryData(keyOf(id), path);

/** Says which folder a project has had before, and leads back to it. */
export function ReplacedFolder({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: path } = useQuery<string | null>({ queryKey: keyOf(id), queryFn: skipToken });
  const back = useChange(
    (folder: string) => answerOf(api.projects[":id"].folder.$post({ param: { id }, json: { path: folder } })),
    () => keepReplaced(client, id, null),
  );
  if (path == null) return null;
  return (
    <div className="trouble" role="status">
      <p>
        {t("projects.replaced")} <bdi>{line(path)}</bdi>
      </p>
      <div className="buttons">
        <Button isDisabled={back.isPending} onPress={() => back.mutate(path)}>
          {t("projects.linkBack")}
        </Button>
        <Button onPress={() => keepReplaced(client, id, null)}>{t("projects.replacedSeen")}</Button>
      </div>
      <Problem error={back.error} />
    </div>
  );
}
