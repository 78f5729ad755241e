import { foldersHoldForSeeds } from "./holds-for-seeds.ts";

foldersHoldForSeeds(251, 500);
