import fc from "fast-check";
import { caseSeed } from "./rounds.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: caseSeed });
