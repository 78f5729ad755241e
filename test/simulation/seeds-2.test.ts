import { holdsForSeeds } from "./holds-for-seeds.ts";

holdsForSeeds(121, 240);
