import { hash, verify } from '@node-rs/argon2'

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. Algorithm 2 is argon2id. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes a password with argon2id. @returns the PHC string to store */
export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

/** A hash of nothing anyone knows: checked when there is no such person, so that the answer takes as long. */
let decoy: Promise<string> | undefined

/**
 * Checks a password in the same time whether or not there is a hash to check against.
 * @param stored the PHC string, or null for an unknown person or one without a password
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(crypto.randomUUID())
  const matches = await verify(stored ?? (await decoy), password).catch(() => false)
  return matches && stored != null
}
