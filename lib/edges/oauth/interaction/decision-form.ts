import type { Client } from 'oidc-provider'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import type { FormFields } from '@/lib/base/http/body'
import { approveApp } from '@/lib/features/app-access/decide'
import { askAdmin } from '@/lib/features/app-access/requests'
import { createProject } from '@/lib/features/projects/create-project'
import type { SessionActor } from '@/lib/policy/actor'
import { clientSource, resourceOf } from '@/lib/policy/scopes'

/** The decisions that this takes. */
export const asks = (decision: string | undefined): boolean => decision === 'ask' || decision === 'approve'

/**
 * See decision 174. Takes "Ask an admin" and "Approve as an admin" of the consent or the device page.
 * @returns what the page then says
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function askFromForm(
  actor: SessionActor,
  app: { clientId: string; scopes: readonly string[] },
  form: FormFields,
): Promise<'yes' | 'approved' | 'no'> {
  try {
    const workspaceId = form.ask ?? ''
    if (form.decision === 'approve') {
      const scopes = app.scopes.filter((scope) => resourceOf(scope))
      await approveApp(actor, workspaceId, app.clientId, { scopes, word: form.reason })
      return 'approved'
    }
    await askAdmin(actor, { ...app, workspaceId, reason: form.reason ?? '' })
    return 'yes'
  } catch (error) {
    if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return 'no'
  }
}

/**
 * Makes the first project of somebody who has none, from the form of the consent or the device page.
 * @param form `project-name`, and `in`, the id of its workspace
 * @returns the project's id, or what was wrong: its `name`, or something `else`
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function projectFromForm(
  actor: SessionActor,
  form: FormFields,
): Promise<{ made?: string; refused?: 'name' | 'else' }> {
  try {
    const { id } = await createProject(actor, { workspaceId: form.in, name: form['project-name'] ?? '' })
    return { made: id }
  } catch (error) {
    if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return { refused: error.code === 'BAD_USER_INPUT' ? 'name' : 'else' }
  }
}

/**
 * Makes sure that a metadata-document client has a row, which its authorizations hang on. Its metadata is always read
 * from the document; the row keeps what Account > Apps shows.
 */
export async function anchorMetadataClient(client: Client): Promise<void> {
  if (clientSource(client.clientId) !== 'METADATA_DOCUMENT') return
  const shown = {
    name: client.clientName ?? new URL(client.clientId).host,
    redirectUris: [...(client.redirectUris ?? [])],
    homepageUrl: client.clientUri ?? null,
    logoUrl: client.logoUri ?? null,
  }
  await prisma().oAuthClient.upsert({
    where: { id: client.clientId },
    create: { id: client.clientId, source: 'METADATA_DOCUMENT', type: 'NATIVE', ...shown },
    update: { ...shown, version: { increment: 1 } },
  })
}
