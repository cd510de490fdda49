import { randomBytes } from 'node:crypto'
import { dynamicPrefix } from '@/lib/policy/client-source'

/** A new id for a client that registers itself. */
export const newDynamicClientId = (): string => `${dynamicPrefix}${randomBytes(16).toString('hex')}`
