import { randomUUID } from 'node:crypto'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import { picturePath } from '@/lib/features/pictures/address'
import { drawPicture } from '@/lib/features/pictures/draw-picture'
import { countUpload } from '@/lib/features/pictures/limit-uploads'
import { storePicture } from '@/lib/features/pictures/store-picture'
import type { Actor } from '@/lib/policy/actor'
import { lockApp, type OAuthApp, requireApp } from './require-app'

/**
 * Gives an app a new logo, which people see wherever it asks them for something. Takes `workspace:manage-apps` in its workspace.
 * @param file as it was sent
 * @throws AppError BAD_USER_INPUT at `picture`, RATE_LIMITED, NOT_FOUND, and as `authorizeWorkspace`
 */
export async function setLogo(actor: Actor, appId: string, file: Uint8Array): Promise<void> {
  const app = await requireApp(actor, appId)
  await countUpload(actor)
  const drawn = await drawPicture(file, 'logo')
  const id = randomUUID()
  await prisma().$transaction(async (tx) => {
    await updateApp(tx, actor, app, picturePath(id))
    await storePicture(tx, { clientId: app.id }, id, drawn)
  })
}

/** Takes an app's logo away; its initials stand in. @throws AppError NOT_FOUND, and as `authorizeWorkspace` */
export async function removeLogo(actor: Actor, appId: string): Promise<void> {
  const app = await requireApp(actor, appId)
  await prisma().$transaction(async (tx) => {
    await updateApp(tx, actor, app, null)
    await tx.picture.deleteMany({ where: { clientId: app.id } })
  })
}

async function updateApp(tx: Db, actor: Actor, app: OAuthApp, logoUrl: string | null) {
  await lockApp(tx, actor, app)
  const { id, workspaceId } = app
  await tx.oAuthClient.update({ where: { id }, data: { logoUrl, version: { increment: 1 } } })
  await recordEvent(tx, actor, {
    action: 'oauth_app.updated',
    resource: { type: 'oauth_app', id },
    workspaceId,
    details: { logo: logoUrl ? 'set' : 'removed' },
  })
}
