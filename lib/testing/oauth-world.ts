import { hashCredential, lastFour, mintClientId, mintCredential } from '@/lib/credentials/tokens'
import { prisma } from '@/lib/db/prisma'
import { startSession } from '@/lib/sessions/start-session'
import { sessionCookie } from '@/lib/web/session-cookie'

/** A person with a workspace and a project of their own. */
export async function makePerson(name: string) {
  const { id } = await prisma().user.create({
    data: { name, email: `${name.toLowerCase()}@example.com`, emailVerifiedAt: new Date() },
  })
  const workspace = await prisma().workspace.create({
    data: {
      name: `${name}'s workspace`,
      slug: name.toLowerCase(),
      members: { create: { userId: id, role: 'ADMIN' } },
      projects: { create: { name: `${name}'s project` } },
    },
    include: { projects: true },
  })
  return { id, name, workspaceId: workspace.id, projectId: workspace.projects[0]?.id as string }
}

/** Signs a person in. @returns the Cookie header of the browser */
export async function signInAs(userId: string): Promise<string> {
  const sid = await startSession({}, userId, ['pwd'])
  return (await sessionCookie({ sub: userId, sid })).split(';', 1)[0] as string
}

/** An app from a workspace's settings. */
export async function makeApp(
  workspaceId: string,
  type: 'WEB' | 'NATIVE',
  redirectUris: string[],
  more: { requirePushedAuthorization?: boolean; postLogoutRedirectUris?: string[] } = {},
): Promise<{ clientId: string; secret: string | undefined }> {
  const secret = type === 'WEB' ? mintCredential('clientSecret') : undefined
  const { id } = await prisma().oAuthClient.create({
    data: {
      id: mintClientId(),
      type,
      name: `${type} app`,
      workspaceId,
      redirectUris,
      ...more,
      ...(secret
        ? {
            secrets: {
              create: { hash: new Uint8Array(hashCredential(secret)), lastFour: lastFour(secret) },
            },
          }
        : {}),
    },
  })
  return { clientId: id, secret }
}
