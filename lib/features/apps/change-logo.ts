import { randomUUID } from 'node:crypto'
import { type Db, prisma } from '@/lib/base/db/prisma'
import { recordEvent } from '@/lib/features/audit/record-event'
import { picturePath } from '@/lib/features/pictures/address'
import { drawUpload, type PictureOwner, storePicture } from '@/lib/features/pictures/draw-picture'
import type { Actor } from '@/lib/policy/actor'
import { lockApp, type OAuthApp, requireApp } from './require-app'

/** The color scheme in which pages show a logo. See ADR 0010. */
export type LogoTheme = 'light' | 'dark'

/**
 * The two logos. Each has its column, its name in the audit log, and a function that returns the stored
 * image's owner.
 */
const logos = {
  light: { column: 'logoUrl', detail: 'logo', owner: (clientId: string) => ({ clientId }) },
  dark: { column: 'logoDarkUrl', detail: 'darkLogo', owner: (darkClientId: string) => ({ darkClientId }) },
} satisfies Record<LogoTheme, { column: string; detail: string; owner: (clientId: string) => PictureOwner }>

/**
 * Sets an app's logo for a color scheme, and replaces the earlier logo for that scheme. Pages about the app,
 * such as the consent page, show the logo. The upload counts toward the user's rate limit. Requires
 * `workspace:manage-apps` in the app's workspace.
 * @param theme the logo's color scheme. A scheme without a logo uses the logo of the other scheme.
 * @param file the uploaded file
 * @throws AppError BAD_USER_INPUT on `picture`, RATE_LIMITED, SERVICE_UNAVAILABLE, NOT_FOUND, and the errors
 * of `requireWorkspace`
 */
export async function setLogo(
  actor: Actor,
  appId: string,
  theme: LogoTheme,
  file: Uint8Array,
): Promise<void> {
  const app = await requireApp(actor, appId)
  const drawn = await drawUpload(actor, file, 'logo')
  const id = randomUUID()
  await prisma().$transaction(async (tx) => {
    await updateApp(tx, actor, app, theme, picturePath(id))
    await storePicture(tx, logos[theme].owner(app.id), id, drawn)
  })
}

/**
 * Removes an app's logo for a color scheme. Pages then show the logo for the other color scheme, or the app's
 * initials if the app has no logo. Requires `workspace:manage-apps` in the app's workspace.
 * @throws AppError NOT_FOUND, and the errors of `requireWorkspace`
 */
export async function removeLogo(actor: Actor, appId: string, theme: LogoTheme): Promise<void> {
  const app = await requireApp(actor, appId)
  await prisma().$transaction(async (tx) => {
    await updateApp(tx, actor, app, theme, null)
    await tx.picture.deleteMany({ where: logos[theme].owner(app.id) })
  })
}

async function updateApp(tx: Db, actor: Actor, app: OAuthApp, theme: LogoTheme, address: string | null) {
  await lockApp(tx, actor, app)
  const { column, detail } = logos[theme]
  const { id, workspaceId } = app
  await tx.oAuthClient.update({ where: { id }, data: { [column]: address, version: { increment: 1 } } })
  await recordEvent(tx, actor, {
    action: 'oauth_app.updated',
    resource: { type: 'oauth_app', id },
    workspaceId,
    details: { [detail]: address ? 'set' : 'removed' },
  })
}
