import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Choice } from "../app/choice.tsx";
import { lines } from "../app/shown-text.ts";
import { Button } from "../form/button.tsx";
import { Problem } from "../form/problem.tsx";
import { TextBox } from "../form/text-box.tsx";
import { useTyped } from "../form/use-typed.ts";
import { type ByHand, madeByHand } from "./by-hand.ts";
import { type Take, takes, textOf } from "./merge-result.ts";
import type { MergedPart, Merging } from "./queries.ts";
import type { Draft } from "./seal.ts";
import type { Resolved } from "./use-editor.ts";
import { useSaveKey } from "./use-save-key.ts";

/** As much of a place as is looked at to choose; the result below has all of it. */
const shownLength = 4_000;

interface ConflictProps {
  readonly merging: Merging;
  /** The draft that cannot be saved as it is. */
  readonly draft: Pick<Draft, "id" | "path">;
  readonly isSaving: boolean;
  readonly error: Error | null;
  readonly onSave: (as: Resolved) => Promise<void>;
  readonly onBack: () => void;
}

/** Somebody else has written the file too: both changes, place by place, and what they come to. */
export function ConflictView({ merging: { hash, parts }, draft, isSaving, error, onSave, onBack }: ConflictProps) {
  const { t } = useTranslation();
  const untouched: ByHand = { hash, chosen: {} };
  const made = useTyped(madeByHand, draft.id, untouched);
  // With what was written later still one begins to choose anew: a text made by hand would leave it out.
  const now = made.value.hash === hash ? made.value : untouched;
  const { chosen, text: edited, path: to = draft.path } = now;
  const places = parts.flatMap((part, index) => (part.from === "conflict" ? [{ part, index }] : []));
  const theirs = parts.map((part) => part.theirs).join("");
  const result = edited ?? textOf(parts, chosen);
  const place = useRef<HTMLElement>(null);
  const save = () => void onSave({ text: result, base: theirs, baseHash: hash, path: to });
  // The key that has met the conflict is not the one that settles it: whoever stands in it has seen it.
  useSaveKey((at) => {
    if (!isSaving && place.current?.contains(at)) save();
  });
  return (
    <section className="editor" aria-labelledby="conflict" ref={place}>
      <div role="alert">
        <h3 id="conflict">{hash === null ? t("projects.edit.gone") : t("projects.edit.conflict")}</h3>
        <p>
          {hash === null
            ? t("projects.edit.goneHint")
            : places.length === 0
              ? t("projects.edit.fits")
              : t("projects.edit.conflictHint", { count: places.length })}
        </p>
      </div>
      {edited === undefined &&
        places.map(({ part, index }, at) => (
          <Place
            key={index}
            part={part}
            title={t("projects.edit.place", { at: at + 1, total: places.length })}
            take={chosen[index] ?? "both"}
            onTake={(take) => made.type({ ...now, chosen: { ...chosen, [index]: take } })}
          />
        ))}
      {hash === null && (
        <TextBox label={t("projects.edit.path")} value={to} onChange={(path) => made.type({ ...now, path })} />
      )}
      <TextBox
        label={t("projects.edit.result")}
        value={result}
        onChange={(text) => made.type({ ...now, text })}
        kind="lines"
      />
      <div className="buttons">
        <Button isDisabled={isSaving} onPress={save}>
          {t("projects.edit.saveResult")}
        </Button>
        {edited !== undefined && (
          <Button
            onPress={() => {
              const { text: _, ...rest } = now;
              made.type(rest);
            }}
          >
            {t("projects.edit.anew")}
          </Button>
        )}
        <Button onPress={onBack}>{t("projects.edit.back")}</Button>
      </div>
      <Problem error={error} />
    </section>
  );
}

interface PlaceProps {
  readonly part: MergedPart;
  readonly title: string;
  readonly take: Take;
  readonly onTake: (take: Take) => void;
}

function Place({ part, title, take, onTake }: PlaceProps) {
  const { t } = useTranslation();
  return (
    <section className="panel" aria-label={title}>
      <h4>{title}</h4>
      <dl className="sides">
        {(["base", "mine", "theirs"] as const).map((side) => (
          <div key={side}>
            <dt>{t(`projects.edit.side.${side}`)}</dt>
            <dd dir="auto">{lines(part[side].slice(0, shownLength)) || t("projects.edit.nothing")}</dd>
          </div>
        ))}
      </dl>
      <Choice
        label={t("projects.edit.take")}
        value={take}
        options={takes.map((each) => [each, t(`projects.edit.side.${each}`)] as const)}
        onChange={(key) => onTake(takes.find((each) => each === key) ?? "both")}
      />
    </section>
  );
}
