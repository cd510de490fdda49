import { consoleAddresses } from './console-addresses'
import type { Address } from './listing'
import { openAddresses } from './open-addresses'

/** All pages that can be opened by their URL alone, without further steps. */
export const addresses: Address[] = [...openAddresses, ...consoleAddresses]
