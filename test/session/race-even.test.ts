import { exploreSeeds } from './race-seeds'

exploreSeeds(2, 2)
