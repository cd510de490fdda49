import { databaseNow } from '@/lib/base/db/clock'
import { type Db, inTransaction } from '@/lib/base/db/prisma'
import type { Visitor } from '@/lib/base/http/visitor'
import { sessionSeconds } from './find-live-session'
import { holdProof, type Proof } from './hold-proof'

/**
 * How a person proved who they are: RFC 8176 `amr` values; `ext` is an identity provider's word. `mfa` stands beside the
 * others when they amount to two factors.
 */
export type SignInMethod = 'pwd' | 'otp' | 'hwk' | 'ext' | 'mfa'

/**
 * Records a browser session for a person who has just proved who they are.
 * @param more.replaces the id of the session this browser held until now; it ends, so that no stray session stays behind. Apps
 *   that the same person signed in to under it stay signed in, under the new one
 * @param more.word it lives as long as the provider speaks for the person
 * @returns the new session's id, to be carried by the cookie
 * @throws AppError as `holdProof`, for what happened since
 */
export async function startSession(
  visitor: Visitor,
  userId: string,
  methods: SignInMethod[],
  { replaces, ...proof }: Proof & { replaces?: string | undefined } = {},
): Promise<string> {
  const now = new Date(databaseNow())
  return inTransaction(async (tx) => {
    await holdProof(tx, userId, proof)
    const { id } = await tx.session.create({
      data: {
        userId,
        methods,
        ...proof.word,
        ip: visitor.ip,
        userAgent: visitor.userAgent?.slice(0, 400),
        createdAt: now,
        lastUsedAt: now,
        expiresAt: new Date(now.getTime() + sessionSeconds() * 1000),
      },
      select: { id: true },
    })
    await rememberLanguage(tx, userId, visitor)
    if (!replaces) return id
    await tx.appSignIn.updateMany({
      where: { sessionId: replaces, session: { userId, revokedAt: null } },
      data: { sessionId: id },
    })
    await tx.session.updateMany({ where: { id: replaces, revokedAt: null }, data: { revokedAt: now } })
    return id
  })
}

/**
 * Keeps in which language a person reads, for the mails to them: what they chose on a page, or, until something is known, what
 * their browser prefers. What an app asks for is the app's wish, and not kept. See decision 226.
 * @param tx the transaction of the sign-in
 */
async function rememberLanguage(tx: Db, userId: string, { language, choseLanguage }: Visitor): Promise<void> {
  if (!language) return
  const other = choseLanguage ? [{ language: { not: language } }] : []
  await tx.user.updateMany({
    where: { id: userId, OR: [{ language: null }, ...other] },
    data: { language },
  })
}
