import { consoleAddresses } from './console-addresses'
import type { Address } from './listing'
import { openAddresses } from './open-addresses'

/** Every page that opens at its address without further steps, by chapter. */
export const addresses: Address[] = [...openAddresses, ...consoleAddresses]
