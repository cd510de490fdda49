import { isLoopbackHost } from '@/lib/features/apps/redirect-uri'

/**
 * Where a redirect URI leads, in the words a person can judge it by: the host, or the scheme of an app on this device.
 * What follows such a scheme is no host, though it may look like one (`evil://bank.example`).
 * @returns undefined for what is no address
 */
export function destinationName(uri: unknown): string | undefined {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  if (!url) return undefined
  return isWeb(url) ? url.host : `${url.protocol}//`
}

/** Whether the app receives the answer on the person's own machine, where any program may have asked. */
export function returnsToThisComputer(uri: unknown): boolean {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname)
}

const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'
