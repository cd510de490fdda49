import { randomUUID } from 'node:crypto'
import { hashCredential, lastFour, mintCredential } from '@/lib/credentials/tokens'
import { prisma } from '@/lib/db/prisma'
import type { ApiTokenKind, Role } from '@/lib/generated/prisma/enums'

/** Rows for tests, written straight to the database: whatever is not said has a value that works. */
export const make = {
  person: (name = 'Ada', more: { suspendedAt?: Date; avatarUrl?: string } = {}) =>
    prisma().user.create({
      data: { name, email: `${name}-${randomUUID()}@example.com`.toLowerCase(), ...more },
    }),

  workspace: (name = 'Acme', members: Record<string, Role> = {}) =>
    prisma().workspace.create({
      data: {
        name,
        slug: `${name}-${randomUUID()}`.toLowerCase(),
        members: { create: Object.entries(members).map(([userId, role]) => ({ userId, role })) },
      },
    }),

  project: (workspaceId: string, name = 'Website', members: Record<string, Role> = {}) =>
    prisma().project.create({
      data: {
        name,
        workspaceId,
        members: { create: Object.entries(members).map(([userId, role]) => ({ userId, role })) },
      },
    }),

  /** @returns the plain value of an API token */
  apiToken: async (
    userId: string,
    more: { workspaceId?: string; projectId?: string; role?: Role; expiresAt?: Date } = {},
  ): Promise<string> => {
    const kind: ApiTokenKind = more.projectId ? 'PROJECT' : more.workspaceId ? 'WORKSPACE' : 'ACCOUNT'
    const credential = (
      { ACCOUNT: 'accountToken', WORKSPACE: 'workspaceToken', PROJECT: 'projectToken' } as const
    )[kind]
    const value = mintCredential(credential)
    const hash = Uint8Array.from(hashCredential(value))
    await prisma().apiToken.create({
      data: { kind, name: 'test', userId, hash, lastFour: lastFour(value), ...more },
    })
    return value
  },

  /** @returns the plain value of an access token, with its app and authorization */
  accessToken: async (
    userId: string,
    scopes: string[],
    more: {
      workspaceIds?: string[]
      projectIds?: string[]
      /** What the token itself carries; the authorization's scopes unless given. */
      tokenScopes?: string[]
      audience?: string
      boundTo?: string
      expiresAt?: Date
    } = {},
  ) => {
    const client = await prisma().oAuthClient.create({ data: { id: randomUUID(), type: 'WEB', name: 'App' } })
    const authorization = await prisma().authorization.create({
      data: {
        userId,
        clientId: client.id,
        scopes,
        workspaceIds: more.workspaceIds ?? [],
        projectIds: more.projectIds ?? [],
      },
    })
    const value = mintCredential('accessToken')
    const artifact = await prisma().oAuthArtifact.create({
      data: {
        hash: Uint8Array.from(hashCredential(value)),
        model: 'AccessToken',
        authorizationId: authorization.id,
        payload: {
          kind: 'AccessToken',
          scope: (more.tokenScopes ?? scopes).join(' '),
          ...(more.audience ? { aud: more.audience } : {}),
          ...(more.boundTo ? { jkt: more.boundTo } : {}),
        },
        expiresAt: more.expiresAt ?? new Date(Date.now() + 3_600_000),
      },
    })
    return { value, client, authorization, artifact }
  },
}
