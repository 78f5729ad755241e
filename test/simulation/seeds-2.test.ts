import { holdsForSeeds } from "./holds-for-seeds.ts";

holdsForSeeds(26, 50);
