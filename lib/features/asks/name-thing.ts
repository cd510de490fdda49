import { prisma } from '@/lib/base/db/prisma'
import { isId } from '@/lib/policy/require'

/** What a thing is called, and what it is in; undefined for one that is gone. */
export async function nameThing({
  type,
  id,
}: {
  type: string
  id: string
}): Promise<{ name: string; within?: string } | undefined> {
  const db = prisma()
  if (type === 'oauth_app') return (await db.oAuthClient.findUnique({ where: { id } })) ?? undefined
  if (!isId(id)) return undefined
  switch (type) {
    case 'workspace':
      return (await db.workspace.findUnique({ where: { id } })) ?? undefined
    case 'project':
      return (await db.project.findUnique({ where: { id } })) ?? undefined
    case 'environment': {
      const found = await db.environment.findUnique({ where: { id }, include: { project: true } })
      return found ? { name: found.name, within: found.project.name } : undefined
    }
    case 'webhook': {
      const found = await db.webhook.findUnique({ where: { id } })
      return found ? { name: found.url } : undefined
    }
    default:
      return undefined
  }
}
