import { FieldError, Input, Label, Text, TextArea, TextField } from "react-aria-components";
import { Said } from "../app/said.tsx";
import "./form.css";

interface TextBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly kind?: "text" | "secret" | "number" | "lines";
  readonly hint?: string | undefined;
  readonly problem?: Error | undefined;
  readonly isRequired?: boolean;
}

/** A text that is typed. A secret is kept by no browser: it has no name, and nothing is filled in for it. */
export function TextBox({ label, value, onChange, kind = "text", hint, problem, isRequired = false }: TextBoxProps) {
  const isSecret = kind === "secret";
  return (
    <TextField
      className="field"
      type={isSecret ? "password" : "text"}
      value={value}
      onChange={onChange}
      isInvalid={problem !== undefined}
      isRequired={isRequired}
      validationBehavior="aria"
      autoComplete={isSecret ? "new-password" : "off"}
      {...(kind === "number" && { inputMode: "numeric" as const })}
    >
      <Label>{label}</Label>
      {kind === "lines" ? <TextArea dir="auto" /> : <Input spellCheck={false} dir={isSecret ? "ltr" : "auto"} />}
      {hint !== undefined && <Text slot="description">{hint}</Text>}
      {problem !== undefined && (
        <FieldError>
          {/* Whoever has pressed a button stands at that, and not at the field. */}
          <span role="alert">
            <Said what={problem} />
          </span>
        </FieldError>
      )}
    </TextField>
  );
}
