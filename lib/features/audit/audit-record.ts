import type { Prisma } from '@/lib/generated/prisma/client'

/** Something the product did by itself, such as revoking an authorization after a stolen refresh token was seen. */
export type SystemActor = {
  kind: 'system'
  userId?: string
  clientId?: string
  ip?: string
  userAgent?: string
}

/** What happened, to what. Nothing in here may be a secret. */
export type AuditRecord = {
  /** noun.verb, such as `oauth_app.created`. */
  action: string
  resource: { type: string; id: string }
  /** The workspace in whose audit log it appears; none for what concerns a person alone. */
  workspaceId?: string | null
  details?: Prisma.InputJsonObject
}
