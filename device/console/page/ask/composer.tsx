import { type KeyboardEvent, useLayoutEffect, useRef, useState } from "react";
import { Label, Text, TextArea, TextField } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { useKeys } from "../app/keys.ts";
import { Button } from "../form/button.tsx";
import { keepTyped, typedIn } from "./asking.ts";

/** As `longestQuestion` of the contract. */
const longest = 8_000;
/** From here on it is said how much room is left. */
const counted = 7_000;

/** As `attachmentLimits.count`. */
const mostAttached = 8;

/** What is attached, one a line. */
const named = (text: string): string[] =>
  text
    .split("\n")
    .map((each) => each.trim())
    .filter((each) => each !== "");

interface ComposerProps {
  readonly scope: string;
  readonly isFollowUp: boolean;
  readonly isAsking: boolean;
  /** It is written again: whoever asked for that goes on here. */
  readonly isAgain: boolean;
  readonly onAsk: (text: string, attachments: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Where a question is written: several lines, asked with Ctrl and Enter. */
export function Composer({ scope, isFollowUp, isAsking, isAgain, onAsk, onCancel }: ComposerProps) {
  const { t } = useTranslation();
  const [{ text, attached }, setTyped] = useState(typedIn(scope));
  const field = useRef<HTMLTextAreaElement>(null);
  const left = longest - text.length;
  const canAsk = !isAsking && text.trim() !== "" && left >= 0 && named(attached).length <= mostAttached;
  const change = (typed: { readonly text: string; readonly attached: string }) => {
    setTyped(typed);
    keepTyped(scope, typed);
  };
  const send = () => {
    if (!canAsk) return;
    onAsk(text, named(attached));
    change({ text: "", attached: "" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  useKeys({ "/": () => field.current?.focus() });
  const isAtCancel = useRef(false);
  // The button goes with the question, whoever stands there goes on at the next one.
  useLayoutEffect(() => {
    if (!isAsking && isAtCancel.current) field.current?.focus();
    isAtCancel.current = false;
  }, [isAsking]);
  useLayoutEffect(() => {
    if (isAgain) field.current?.focus();
  }, [isAgain]);
  return (
    <div className="ask-composer">
      <TextField
        className="field"
        value={text}
        onChange={(next) => change({ text: next, attached })}
        isInvalid={left < 0}
        validationBehavior="aria"
      >
        <Label>{t(isFollowUp ? "ask.followUp" : "ask.question")}</Label>
        <TextArea ref={field} dir="auto" rows={4} onKeyDown={onKeyDown} />
        <Text slot="description">{t("ask.hint")}</Text>
      </TextField>
      <TextField
        className="field"
        value={attached}
        onChange={(next) => change({ text, attached: next })}
        isInvalid={named(attached).length > mostAttached}
        validationBehavior="aria"
      >
        <Label>{t("ask.attach")}</Label>
        <TextArea dir="auto" rows={1} />
        <Text slot="description">{t("ask.attachHint")}</Text>
      </TextField>
      <div className="buttons">
        <Button className="primary" isDisabled={!canAsk} onPress={send}>
          {t("ask.ask")}
        </Button>
        {isAsking && (
          <Button
            onPress={onCancel}
            onFocusChange={(isFocused) => {
              isAtCancel.current = isFocused;
            }}
          >
            {t("ask.cancel")}
          </Button>
        )}
        <span role="status" className="hint">
          {text.length >= counted && (left >= 0 ? t("ask.left", { count: left }) : t("ask.tooLong", { count: -left }))}
        </span>
      </div>
    </div>
  );
}
