import { holdsForSeeds } from "./holds-for-seeds.ts";

holdsForSeeds(101, 200);
