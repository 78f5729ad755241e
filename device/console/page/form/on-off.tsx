import { Switch } from "react-aria-components";

interface OnOffProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A switch with its label; what it stands for is kept by whoever shows it. */
export function OnOff({ label, isOn, onChange }: OnOffProps) {
  return (
    <Switch className="switch" isSelected={isOn} onChange={onChange}>
      <span className="switch-track" aria-hidden="true" />
      {label}
    </Switch>
  );
}
