import { exploreSeeds } from './race-seeds'

exploreSeeds(1, 2)
