'use server'
import { cookies } from 'next/headers'
import { expiresInDays } from '@/lib/base/db/expiry-input'
import { isSecure } from '@/lib/base/http/visitor'
import { testSignInCookieName } from '@/lib/edges/oauth/interaction/test-sign-in'
import { continueTestSignIn } from '@/lib/edges/oauth/try-sign-in/try-sign-in'
import { changeAction, formAction, requireTyped } from '@/lib/edges/web/forms/submit-form'
import { acceptTransfer, cancelTransfer, declineTransfer } from '@/lib/features/app-transfers/answer-transfer'
import { finishTransfer } from '@/lib/features/app-transfers/finish-transfer'
import { requestTransfer } from '@/lib/features/app-transfers/request-transfer'
import { revokeAllUsers, revokeUser } from '@/lib/features/apps/activity/revoke-users'
import { claimDomain, removeDomain, verifyDomain } from '@/lib/features/apps/app-domain'
import { createApp } from '@/lib/features/apps/create-app'
import { allowedScopesOfForm } from '@/lib/features/apps/least-first'
import { requireApp } from '@/lib/features/apps/require-app'
import { addSecret, revokeSecret } from '@/lib/features/apps/secrets'
import { deleteApp, updateApp } from '@/lib/features/apps/update-app'
import { apiScopes } from '@/lib/features/resources/apis'

const shown = '/workspaces/[slug]/settings/developer'

/**
 * Creates an app. Returns the app's client ID and secret. The secret is null if the app has none. No other
 * response contains the secret.
 */
export const createAppAction = formAction(async (actor, input) => {
  const inDevelopment = input.inDevelopment === 'on'
  const { app, secret } = await createApp(actor, {
    ...input,
    inDevelopment,
    allowedScopes: allowedScopesOfForm(input, await apiScopes()),
  })
  return { clientId: app.id, secret: secret ?? null }
})

export const updateAppAction = changeAction(
  async (actor, { id = '', ...input }) =>
    updateApp(actor, id, {
      ...input,
      requirePushedAuthorization: input.requirePushed === 'on',
      requireSignedRequests: input.requireSigned === 'on',
      highSecurity: input.highSecurity === 'on',
      allowedScopes: allowedScopesOfForm(input, await apiScopes()),
    }),
  shown,
)

export const setStageAction = changeAction(
  (actor, { id = '', stage }) => updateApp(actor, id, { inDevelopment: stage === 'development' }),
  shown,
)

export const setInstallScopesAction = changeAction(
  (actor, { id = '', installScopes = '' }) => updateApp(actor, id, { installScopes }),
  shown,
)

/**
 * Returns the state of this browser's test sign-in. When the sign-in has a result, the action deletes the
 * sign-in's cookie. Therefore, the result is returned only once. No complete token leaves the server.
 */
export const finishTestSignInAction = formAction(async (actor) => {
  const jar = await cookies()
  const tried = await continueTestSignIn(actor, jar.get(testSignInCookieName())?.value ?? '')
  if (tried.state !== 'asked')
    jar.set(testSignInCookieName(), '', { maxAge: 0, path: '/', secure: isSecure() })
  return tried
})

export const deleteAppAction = changeAction(async (actor, { id = '', ...input }) => {
  const { name } = await requireApp(actor, id)
  requireTyped(name, input)
  await deleteApp(actor, id)
})

export const claimDomainAction = changeAction(
  (actor, { id = '', domain }) => claimDomain(actor, id, { domain }),
  shown,
)

export const verifyDomainAction = changeAction((actor, { id = '' }) => verifyDomain(actor, id), shown)

export const removeDomainAction = changeAction((actor, { id = '' }) => removeDomain(actor, id), shown)

export const requestTransferAction = changeAction(
  (actor, { id = '', workspace }) => requestTransfer(actor, id, { workspace }),
  shown,
)

export const cancelTransferAction = changeAction((actor, { id = '' }) => cancelTransfer(actor, id), shown)

export const acceptTransferAction = changeAction((actor, { id = '' }) => acceptTransfer(actor, id), shown)

/**
 * Finishes the transfer of an app. Returns the app's new secret, or null if the app has none. No other
 * response contains the secret.
 */
export const finishTransferAction = formAction(async (actor, { id = '', ...input }) => {
  const { secret } = await finishTransfer(actor, id, input)
  return { secret: secret ?? null }
}, shown)

export const declineTransferAction = changeAction((actor, { id = '' }) => declineTransfer(actor, id), shown)

export const revokeUserAction = changeAction(
  (actor, { id = '', userId = '' }) => revokeUser(actor, id, userId),
  shown,
)

export const revokeAllUsersAction = changeAction(async (actor, { id = '', ...input }) => {
  requireTyped((await requireApp(actor, id)).name, input)
  await revokeAllUsers(actor, id)
}, shown)

/** Adds a secret to an app. Returns the secret, which no other response contains. */
export const addSecretAction = formAction(async (actor, { id = '', name, expiresInDays: days }) => {
  const { secret } = await addSecret(actor, id, { name, expiresAt: expiresInDays(days) })
  return { secret }
}, shown)

export const revokeSecretAction = changeAction(
  (actor, { id = '', secretId = '' }) => revokeSecret(actor, id, secretId),
  shown,
)
