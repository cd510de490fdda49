import { AppError } from '@/lib/base/errors/app-error'
import { decideAbout } from '@/lib/features/app-access/decide-about'
import type { Actor } from '@/lib/policy/actor'

/**
 * Has an installed app stand still: from its next request on its tokens for the workspace are nobody's and it gets no others, until it
 * is resumed. What it is installed for stays as it is, and so does what people allow it. One that is suspended already stays so.
 * See decision 210.
 * @throws AppError NOT_FOUND (it is not installed), and as `requireDecider`
 */
export const suspendInstallation = (actor: Actor, workspaceId: string, clientId: string): Promise<void> =>
  change(actor, workspaceId, clientId, true)

/**
 * Lets a suspended installation work again.
 * @throws AppError as `suspendInstallation`
 */
export const resumeInstallation = (actor: Actor, workspaceId: string, clientId: string): Promise<void> =>
  change(actor, workspaceId, clientId, false)

async function change(actor: Actor, workspaceId: string, clientId: string, suspend: boolean): Promise<void> {
  await decideAbout(actor, workspaceId, clientId, async (tx, id) => {
    const [changed] = await tx.installation.updateManyAndReturn({
      where: { workspaceId: id, clientId },
      data: { suspendedAt: suspend ? new Date() : null },
      select: { id: true },
    })
    if (!changed) throw new AppError('NOT_FOUND', 'The app is not installed here.')
    return { action: suspend ? 'app.suspended' : 'app.resumed', details: { installationId: changed.id } }
  })
}
