import { derivedKeys, openToken, sealToken } from '@/lib/base/credentials/seal'

const keys = () => derivedKeys('device-outcome')

/** The app's name for the last page of the device flow, sealed: an address must not make our page say anything. */
export const sealOutcome = (appName: string): string => sealToken(appName, keys())

/** @returns undefined for what nobody here sealed */
export const openOutcome = (sealed: string | undefined): string | undefined =>
  sealed ? openToken(sealed, keys()) : undefined
