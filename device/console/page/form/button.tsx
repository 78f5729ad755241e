import { type RefAttributes, useState } from "react";
import { Button as AriaButton, type ButtonProps } from "react-aria-components";

/**
 * A button that may not be pressed at times. A browser takes the focus from what is disabled and gives it to nobody, and then no
 * key does anything: so one that has the focus keeps it, is said to be disabled and does nothing, and is no stop any more when
 * the focus has gone on.
 *
 * @param isPending what it asked for is being done: it stays a stop, for who comes back to it from a dialog
 */
export function Button({
  isDisabled = false,
  isPending = false,
  onPress,
  onFocusChange,
  type = "button",
  ...rest
}: ButtonProps & RefAttributes<HTMLButtonElement>) {
  const [hasFocus, setHasFocus] = useState(false);
  const isKept = isPending || (isDisabled && hasFocus);
  return (
    <AriaButton
      {...rest}
      isDisabled={isDisabled && !isKept}
      {...(isKept ? { "aria-disabled": true } : { type, ...(onPress && { onPress }) })}
      onFocusChange={(isFocused) => {
        setHasFocus(isFocused);
        onFocusChange?.(isFocused);
      }}
    />
  );
}
