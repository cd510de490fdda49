import { prisma } from '@/lib/base/db/prisma'
import { statement } from '@/lib/base/db/statement'
import { workspaceNote } from '@/lib/features/apps/authorizations/admission-notes'
import { loadAdmissions } from '@/lib/features/apps/authorizations/load-admissions'
import type { Actor } from '@/lib/policy/actor'
import { authorizeAccount } from '@/lib/policy/authorize'
import { managedNow } from '@/lib/policy/managed-access'
import { worthUnder } from '@/lib/policy/scopes'
import { allowedTo } from "@/lib/policy/app-status";

/** An app that acts for a person because the company behind a workspace of theirs says so. */
export type AppThroughCompany = {
  id: string
  /** The most it may do, as far as it may use it now. */
  scopes: string[]
  since: Date
  lastUsedAt: Date
  app: {
    id: string
    name: string
    logoUrl: string | null
    /** The workspace that runs it; null for an app that registered itself. */
    workspaceName: string | null
    verified: boolean
  }
  /** Whose company it is, with what the workspace says to that where it does not let the app in, or not so far. */
  workspace: { id: string; name: string; note?: string }
}

/** As many are listed, the latest used ones. */
const most = 100

const findUses = statement<{ id: string }, [userId: string, limit: number]>(
  'apps-through-companies',
  `SELECT mu.id FROM ${managedNow} JOIN managed_uses mu ON mu.managed_app_id = m.id AND mu.user_id = u.id
    WHERE mu.user_id = $1::uuid ORDER BY mu.last_used_at DESC, mu.id LIMIT $2`,
)

/**
 * The apps that have got a token for a person by the word of a company's identity provider and could act for them now, the latest
 * used in front.
 * @throws AppError FORBIDDEN for tokens that do not speak for the person
 * See decision 230.
 */
export async function listAppsThroughCompanies(actor: Actor): Promise<AppThroughCompany[]> {
  authorizeAccount(actor)
  const { userId } = actor
  const found = await findUses(userId, most)
  const uses = await prisma().managedUse.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    include: {
      managedApp: {
        include: {
          workspace: { select: { name: true } },
          client: { include: { workspace: { select: { name: true } } } },
        },
      },
    },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'asc' }],
  })
  const judged = uses.map(({ managedApp: { client } }) => ({
    clientId: client.id,
    workspaceId: client.workspaceId,
  }))
  const admits = await loadAdmissions(prisma(), judged, [
    ...new Set(uses.map(({ managedApp }) => managedApp.workspaceId)),
  ])
  return uses.map(({ id, createdAt: since, lastUsedAt, managedApp }) => {
    const { workspaceId, workspace, client } = managedApp
    const scopes = worthUnder(managedApp.scopes, allowedTo(client.id, client.allowedScopes))
    const admission = admits({ clientId: client.id, workspaceId: client.workspaceId }, workspaceId)
    const note = workspaceNote(admission, scopes)?.text
    return {
      id,
      scopes,
      since,
      lastUsedAt,
      app: {
        id: client.id,
        name: client.name,
        logoUrl: client.logoUrl,
        workspaceName: client.workspace?.name ?? null,
        verified: client.verifiedAt !== null,
      },
      workspace: { id: workspaceId, name: workspace.name, ...(note && { note }) },
    }
  })
}
