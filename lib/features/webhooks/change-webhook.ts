import { z } from 'zod'
import { seal } from '@/lib/base/credentials/seal'
import { prisma } from '@/lib/base/db/prisma'
import { AppError, badInput } from '@/lib/base/errors/app-error'
import { parseInput, shortText } from '@/lib/base/errors/input'
import { outboundUrlProblem } from '@/lib/base/outbound/check-url'
import { lockApp, requireApp } from '@/lib/features/apps/require-app'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Webhook } from '@/lib/generated/prisma/client'
import type { Actor } from '@/lib/policy/actor'
import { lockWorkspaceRole } from '@/lib/policy/lock-role'
import { requireWorkspace } from '@/lib/policy/require'
import { mintSigningSecret } from './deliver'
import { isAppSubscription, isSubscription } from './events'
import { requireWebhook } from './redeliver'

/**
 * Returns the schema of a URL that messages are sent to. The URL is trimmed.
 * @param problemOf returns an error message for a URL, or undefined if the URL is allowed (default:
 * `outboundUrlProblem`)
 */
export const messageUrl = (problemOf: (value: string) => string | undefined = outboundUrlProblem) =>
  shortText(2000).superRefine((value, context) => {
    const problem = problemOf(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

const url = messageUrl()

/**
 * Returns the schema of the events that an app's or a workspace's webhook subscribes to. Duplicates are
 * removed.
 */
const events = (ofApp: boolean) =>
  z
    .array(z.string())
    .min(1, 'Choose at least one event.')
    .max(50, 'Choose at most 50 events.')
    .superRefine((values, context) => {
      const wrong = values.findIndex((value) => !(ofApp ? isAppSubscription : isSubscription)(value))
      if (wrong < 0) return
      const such = ofApp
        ? 'for apps, such as app.authorized or app.*'
        : 'such as project.created or project.*'
      context.addIssue({ code: 'custom', path: [wrong], message: `Choose events ${such}.` })
    })
    .transform((values) => [...new Set(values)])

/** Returns the schema of the input for a new webhook of a workspace or of one of its apps. */
const createWebhookInput = (ofApp: boolean) =>
  z.object({ workspaceId: z.string(), clientId: z.string().nullish(), url, events: events(ofApp) })

/** Returns the schema of the changes to a webhook. Omitted fields are unchanged. */
const updateWebhookInput = (ofApp: boolean) =>
  z.object({
    url: url.nullish(),
    events: events(ofApp).nullish(),
    enabled: z.boolean().nullish(),
  })

/**
 * Returns a URL as it is recorded in the audit log. A query is replaced with `?…`, because it might contain a
 * token. Instance admins can read the audit log even if they cannot manage the webhook, and the audit log can
 * be kept indefinitely.
 */
export function recordedUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${origin}${pathname}${search ? '?…' : ''}`
}

const maxWebhooks = 20
const maxOfApp = 5

/** A webhook and its new signing secret, which is returned only once. */
export type NewWebhook = { webhook: Webhook; secret: string }

/**
 * Creates a webhook of a workspace or of one of its apps. Requires `workspace:manage-webhooks`, and
 * `workspace:manage-apps` for an app's webhook. Rejects a URL whose host is a non-public IP address. If the
 * host is a name, its IP addresses are checked each time a message is sent.
 * @param input `workspaceId`, `clientId` (for an app's webhook), `url` (see `checkOutboundUrl`), `events`
 * @throws AppError BAD_USER_INPUT, CONFLICT (too many webhooks), NOT_FOUND (no such app), and the errors of
 * `requireWorkspace` and `lockWorkspaceRole`
 */
export async function createWebhook(actor: Actor, input: unknown): Promise<NewWebhook> {
  const ofApp = Boolean((input as { clientId?: unknown } | null)?.clientId)
  const { workspaceId, clientId, url, events } = parseInput(createWebhookInput(ofApp), input)
  const workspace = await requireWorkspace(actor, 'workspace:manage-webhooks', workspaceId)
  const app = clientId ? await requireApp(actor, clientId) : undefined
  if (app && app.workspaceId !== workspace.id)
    throw badInput('clientId', 'Pass the client ID of an app that belongs to this workspace.')
  const owner = { workspaceId: workspace.id, clientId: app?.id ?? null }
  const secret = mintSigningSecret()
  const sealedSecret = Uint8Array.from(seal(secret, 'webhook-secret'))
  const webhook = await prisma().$transaction(async (tx) => {
    if (app) await lockApp(tx, actor, app)
    await lockWorkspaceRole(tx, actor, 'workspace:manage-webhooks', workspace.id)
    if ((await tx.webhook.count({ where: owner })) >= (app ? maxOfApp : maxWebhooks)) {
      const most = app ? `An app can have up to ${maxOfApp}` : `A workspace can have up to ${maxWebhooks}`
      throw new AppError('CONFLICT', `${most} webhooks. Delete one first.`)
    }
    const made = await tx.webhook.create({ data: { ...owner, url, events, sealedSecret } })
    await record(tx, actor, 'webhook.created', made)
    return made
  })
  return { webhook, secret }
}

/**
 * Updates, enables, or disables a webhook. Requires `workspace:manage-webhooks`.
 * @param input `url`, `events`, `enabled`; omitted fields are unchanged
 * @throws AppError BAD_USER_INPUT, NOT_FOUND, and the errors of `requireWebhook` and `lockWorkspaceRole`
 */
export async function updateWebhook(actor: Actor, id: string, input: unknown): Promise<Webhook> {
  const before = await requireWebhook(actor, id)
  const { url, events, enabled } = parseInput(updateWebhookInput(before.clientId !== null), input)
  const disabledAt = enabled == null ? undefined : enabled ? null : (before.disabledAt ?? new Date())
  return prisma().$transaction(async (tx) => {
    await lockWorkspaceRole(tx, actor, 'workspace:manage-webhooks', before.workspaceId)
    const [changed] = await tx.webhook.updateManyAndReturn({
      // Check the workspace again, because the app and its webhook might have been transferred to another
      // workspace in the meantime.
      where: { id: before.id, workspaceId: before.workspaceId },
      data: { url: url ?? undefined, events: events ?? undefined, disabledAt },
    })
    if (!changed) throw new AppError('NOT_FOUND')
    await record(tx, actor, 'webhook.updated', changed)
    return changed
  })
}

/**
 * Deletes a webhook and its deliveries. Requires `workspace:manage-webhooks`.
 * @throws AppError NOT_FOUND, and the errors of `requireWebhook` and `lockWorkspaceRole`
 */
export async function deleteWebhook(actor: Actor, id: string): Promise<void> {
  const webhook = await requireWebhook(actor, id)
  await prisma().$transaction(async (tx) => {
    await lockWorkspaceRole(tx, actor, 'workspace:manage-webhooks', webhook.workspaceId)
    const { count } = await tx.webhook.deleteMany({
      where: { id: webhook.id, workspaceId: webhook.workspaceId },
    })
    if (count === 0) throw new AppError('NOT_FOUND')
    await record(tx, actor, 'webhook.deleted', webhook)
  })
}

const record = (
  tx: Parameters<typeof recordEvent>[0],
  actor: Actor,
  action: string,
  { id, workspaceId, clientId, url, events }: Webhook,
) =>
  recordEvent(tx, actor, {
    action,
    resource: { type: 'webhook', id },
    workspaceId,
    details: { url: recordedUrl(url), events, ...(clientId && { clientId }) },
  })

/** The number of hours after a rotation during which messages are also signed with the former secret. */
const overlapHours = 24

/**
 * Rotates the signing secret of a webhook. For a day, every message has two signatures, with the new and the
 * former secret, as in the Standard Webhooks specification. If the previous rotation was less than a day ago,
 * the secret from before that rotation is no longer used. Requires `workspace:manage-secrets`.
 * @returns the webhook and the new secret, which is returned only once
 * @throws AppError NOT_FOUND, and the errors of `requireWebhook` and `lockWorkspaceRole`
 */
export async function rotateWebhookSecret(actor: Actor, id: string): Promise<NewWebhook> {
  const { id: webhookId, workspaceId } = await requireWebhook(actor, id, 'workspace:manage-secrets')
  const secret = mintSigningSecret()
  const webhook = await prisma().$transaction(async (tx) => {
    await lockWorkspaceRole(tx, actor, 'workspace:manage-secrets', workspaceId)
    // Lock the row, so that a concurrent rotation waits and then stores this rotation's secret as the former
    // secret.
    await tx.$queryRaw`SELECT id FROM webhooks WHERE id = ${webhookId}::uuid FOR UPDATE`
    const before = await tx.webhook.findUnique({ where: { id: webhookId, workspaceId } })
    if (!before) throw new AppError('NOT_FOUND')
    const changed = await tx.webhook.update({
      where: { id: webhookId },
      data: {
        sealedSecret: Uint8Array.from(seal(secret, 'webhook-secret')),
        sealedPreviousSecret: before.sealedSecret,
        previousSecretExpiresAt: new Date(Date.now() + overlapHours * 3_600_000),
      },
    })
    await recordEvent(tx, actor, {
      action: 'webhook.secret_rotated',
      resource: { type: 'webhook', id: changed.id },
      workspaceId: changed.workspaceId,
      details: { url: recordedUrl(changed.url) },
    })
    return changed
  })
  return { webhook, secret }
}
