import { config } from '@/lib/base/config/env'
import { databaseNow } from '@/lib/base/db/watch-clock'

const day = 24 * 60 * 60

/** How long a browser session lives after the sign-in that started it, however much it is used, in seconds. */
export const sessionSeconds = (): number => config().SESSION_DAYS * day

/** How long it lives without being used, in seconds. */
export const sessionIdleSeconds = (): number => config().SESSION_IDLE_DAYS * day

/** The rows that `findLiveSession` would find, for lists and counts; whether their people are suspended aside. */
export const liveSessions = (now = databaseNow()) => ({
  revokedAt: null,
  expiresAt: { gt: new Date(now) },
  lastUsedAt: { gt: new Date(now - sessionIdleSeconds() * 1000) },
})
