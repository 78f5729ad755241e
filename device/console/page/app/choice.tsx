import { Button, Label, ListBox, ListBoxItem, Popover, Select, SelectValue } from "react-aria-components";

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Value and text of each. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** One of a few. */
export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Select className="choice" value={value} onChange={(key) => onChange(String(key))}>
      <Label>{label}</Label>
      <Button>
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="choice-list">
        <ListBox>
          {options.map(([id, text]) => (
            <ListBoxItem key={id} id={id} textValue={text}>
              {text}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
