import { hashPassword } from '@/lib/base/credentials/password'
import { badInput } from '@/lib/base/errors/app-error'
import { type PasswordOwner, weaknessOf } from './password-strength'

/**
 * Hashes a password that somebody has just chosen: the one way in for all of them, so that none is taken unjudged.
 * See decision 079.
 * @param password of a length that `newPassword` takes
 * @param owner what is known of the person
 * @returns the hash to store
 * @throws AppError BAD_USER_INPUT on `password` when it is too easy to guess
 */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  const weakness = await weaknessOf(password, owner)
  if (weakness) throw badInput('password', weakness)
  return hashPassword(password)
}
