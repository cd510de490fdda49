import { prisma } from '@/lib/base/db/prisma'
import { oauthEngine } from '../engine/provider'
import { loadLogo } from './load-logo'

/** The app that a sign-in is for. */
export type WaitingApp = {
  name: string
  logoUrl: string | undefined
  /** The one for dark pages. */
  logoDarkUrl: string | null
  /** What it asks for. */
  scopes: string[]
  /** Where a form posts that turns back to it. */
  cancelAction: string
  uiLocales: string | undefined
}

const path = /^\/interaction\/([\w-]{1,64})$/

/**
 * Reads which app's request waits at a path, for the pages before it: they may name the app, and nothing else, because they
 * do not get the cookie that ties the request to the browser. Its uid is a secret of that browser. See decision 189.
 * @param next where the person goes after signing in, unchecked
 * @returns undefined for any other path, and for a request that is over
 */
export async function peekInteraction(next: string | undefined): Promise<WaitingApp | undefined> {
  const uid = path.exec(next ?? '')?.[1]
  if (!uid) return undefined
  const { provider } = await oauthEngine()
  const interaction = await provider.Interaction.find(uid)
  const { client_id, scope, ui_locales } = interaction?.params ?? {}
  const client = client_id ? await provider.Client.find(String(client_id)).catch(() => undefined) : undefined
  if (!client) return undefined
  return {
    name: client.clientName ?? client.clientId,
    logoUrl: await loadLogo(client.logoUri),
    logoDarkUrl: await darkLogoOf(client.clientId),
    scopes: String(scope ?? '')
      .split(' ')
      .filter(Boolean),
    cancelAction: `/interaction/${uid}/cancel`,
    uiLocales: typeof ui_locales === 'string' ? ui_locales : undefined,
  }
}

/** The engine knows of one logo alone (RFC 7591 section 2). */
async function darkLogoOf(id: string): Promise<string | null> {
  const row = await prisma().oAuthClient.findUnique({ where: { id }, select: { logoDarkUrl: true } })
  return row?.logoDarkUrl ?? null
}
