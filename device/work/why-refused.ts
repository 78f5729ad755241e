import type { DeviceError } from "../errors.ts";

/** Why one of several was refused. That nothing was changed is true of it alone: what became of the others is told beside it. */
export const whyRefused = ({ message }: DeviceError): string => message.replace(/ Nothing was changed\.$/, "");
