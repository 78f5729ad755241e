import { Switch } from "react-aria-components";

interface OnOffProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function OnOff({ label, isOn, onChange }: OnOffProps) {
  return (
    <Switch className="switch" isSelected={isOn} onChange={onChange}>
      <span className="switch-track" aria-hidden="true" />
      {label}
    </Switch>
  );
}
