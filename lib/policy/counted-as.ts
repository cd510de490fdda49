import { hashCredential } from '@/lib/base/credentials/tokens'

/** The id under which requests are counted of whoever has no UUID of their own. @param name what tells them from others */
export const countedAs = (name: string): string => {
  const hex = hashCredential(name).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
