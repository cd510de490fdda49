import { consoleAddresses } from './console-addresses'
import type { Address } from './listing'
import { openAddresses } from './open-addresses'

/** All pages that can be opened by their address alone, without further steps, by chapter. */
export const addresses: Address[] = [...openAddresses, ...consoleAddresses]
