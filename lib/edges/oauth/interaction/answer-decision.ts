import type { Client } from 'oidc-provider'
import { prisma } from '@/lib/base/db/prisma'
import { isAppError } from '@/lib/base/errors/app-error'
import { seeOther, toUserError, unavailablePage } from '@/lib/base/http/answers'
import { type FormFields, linesOf, readOwnForm } from '@/lib/base/http/body'
import { signInPath } from '@/lib/base/http/safe-next'
import { visitorFrom } from '@/lib/base/http/visitor'
import { approveApp } from '@/lib/features/app-access/decide'
import { requestApproval } from '@/lib/features/app-access/requests'
import { judgedScopes, requestedApis, scopeNames } from '@/lib/features/apps/authorizations/api-grants'
import { saveAuthorization } from '@/lib/features/apps/authorizations/save-authorization'
import { type BrowserSession, sessionFromCookies } from '@/lib/features/identity/sessions/find-live-session'
import { createProject } from '@/lib/features/projects/create-project'
import type { SessionActor } from '@/lib/policy/actor'
import { clientSource, resourceOf } from '@/lib/policy/scopes'
import { engineSessionUid } from '../engine/sessions'
import { continueAs, interactionPath, type OpenInteraction, openInteraction } from './next-step'

/**
 * A form handler, which returns the path of the user's next page, or a response to send instead of a
 * redirect.
 */
type Answer = (open: OpenInteraction, session: BrowserSession, form: FormFields) => Promise<string | Response>

/**
 * Handles a form of the interaction pages. Rejects forms that `readOwnForm` rejects, such as a form from
 * another site. Without a session, redirects to the sign-in page. If the app's request is no longer pending
 * in this browser, redirects to the interaction page, which explains the problem. During a database outage,
 * returns a page from which the user can return to the interaction page with the same selection.
 */
async function takeAnswer(request: Request, uid: string, answer: Answer): Promise<Response> {
  const form = await readOwnForm(request)
  if (form instanceof Response) return form
  const page = interactionPath(uid)
  const cookies = request.headers.get('cookie')
  try {
    const session = await sessionFromCookies(cookies ?? undefined, visitorFrom(request.headers))
    if (!session) return seeOther(signInPath(page))
    const open = await openInteraction(uid, cookies)
    if (!open) return seeOther(page)
    const to = await answer(open, session, form)
    return typeof to === 'string' ? seeOther(to) : to
  } catch (error) {
    const refused = toUserError(error)
    if (refused.code !== 'SERVICE_UNAVAILABLE') throw error
    return unavailablePage(request, refused, `${page}?${selectedQuery(selectionOf(form))}`)
  }
}

/**
 * Handles POST /interaction/:uid/decision. `decision` is `authorize`, `deny`, or `create` with `project-name`
 * and `in` (the workspace of the project). It can also be `ask:` or `approve:` followed by a workspace ID,
 * with `reason`. Any other value denies access. `workspace` and `project` contain IDs and can be repeated. If
 * the request does not wait for the consent of the signed-in user, redirects to the interaction page without
 * handling the decision.
 */
export const answerDecision = (request: Request, { uid = '' }: { uid?: string }): Promise<Response> =>
  takeAnswer(request, uid, async (open, session, form) => {
    const page = interactionPath(uid)
    const { interaction } = open
    if (interaction.prompt.name !== 'consent' || interaction.session?.accountId !== session.user.id) {
      return page
    }
    // The user might have signed in again since the app's request, so assign the interaction to the current
    // browser session.
    interaction.session.uid = engineSessionUid(session.actor.sessionId)
    if (isApprovalDecision(form.decision)) {
      await anchorMetadataClient(open.client)
      const app = { clientId: open.client.clientId, scopes: judgedScopes(open.scopes, await apisOf(open)) }
      return `${page}?${selectedQuery(selectionOf(form), { asked: await answerApprovalForm(session.actor, app, form) })}`
    }
    if (form.decision === 'create') {
      const { made, refused } = await projectFromForm(session.actor, form)
      const selection = selectionOf(form)
      if (made) selection.projectIds.push(made)
      return `${page}?${selectedQuery(selection, refused ? { project: refused } : {})}`
    }
    if (form.decision !== 'authorize') {
      return open.finish({ error: 'access_denied', error_description: 'the user denied the request' })
    }
    const selection = selectionOf(form)
    try {
      await anchorMetadataClient(open.client)
      await saveAuthorization(session.actor, {
        clientId: open.client.clientId,
        scopes: open.scopes,
        apiScopes: scopeNames(await apisOf(open)),
        ...selection,
      })
    } catch (error) {
      const { code } = toUserError(error)
      if (code === 'SERVICE_UNAVAILABLE') throw error
      const nothing = selection.workspaceIds.length + selection.projectIds.length === 0
      const refused = code === 'BAD_USER_INPUT' && nothing ? 'nothing-selected' : 'selection'
      return `${page}?${selectedQuery(selection, { refused })}`
    }
    return open.finish({ consent: { accountId: session.user.id } })
  })

/** Returns the APIs that an authorization request is for. */
const apisOf = ({ scopes, interaction }: OpenInteraction) =>
  requestedApis(scopes, interaction.params.resource)

type Selection = { workspaceIds: string[]; projectIds: string[] }

const selectionOf = (form: FormFields): Selection => ({
  workspaceIds: linesOf(form.workspace),
  projectIds: linesOf(form.project),
})

/**
 * Returns the query that makes the page show a form's selection again, with up to 100 IDs. The query can
 * contain IDs, because they are not secret.
 * @param more other parameters of the query
 */
const selectedQuery = ({ workspaceIds, projectIds }: Selection, more: Record<string, string> = {}): string =>
  new URLSearchParams({
    ...more,
    selected: [...workspaceIds, ...projectIds].slice(0, 100).join(' '),
  }).toString()

/**
 * Handles POST /interaction/:uid/continue: "Continue as" in the account chooser. If the request waits for
 * anything else, such as a new sign-in, redirects to the interaction page.
 */
export const answerAccountChoice = (request: Request, { uid = '' }: { uid?: string }): Promise<Response> =>
  takeAnswer(request, uid, async (open, session) => {
    if (open.interaction.prompt.name !== 'select_account') return interactionPath(uid)
    const step = await continueAs(open, session)
    return step.kind === 'redirect' ? step.to : interactionPath(uid)
  })

/**
 * Handles POST /interaction/:uid/cancel. The user returns to the app instead of signing in, and the app
 * receives `access_denied`. Requires no session. If the app's request is no longer pending in this browser,
 * redirects to the interaction page.
 */
export async function answerCancel(request: Request, { uid = '' }: { uid?: string }): Promise<Response> {
  const form = await readOwnForm(request)
  if (form instanceof Response) return form
  const open = await openInteraction(uid, request.headers.get('cookie'))
  if (!open) return seeOther(interactionPath(uid))
  const error = { error: 'access_denied', error_description: 'the user went back without signing in' }
  return seeOther(await open.finish(error))
}

const askDecision = /^(ask|approve):(.+)$/s

/**
 * Returns whether `answerApprovalForm` handles the decision: `ask:` or `approve:` followed by the ID of a
 * workspace.
 */
export const isApprovalDecision = (decision: string | undefined): boolean => askDecision.test(decision ?? '')

/**
 * Handles "Request approval" and "Approve as admin" on the consent and device pages. See ADR 0019.
 * @returns the outcome that the page shows: `yes` if approval was requested, `approved` if the app was
 *   approved, or `no` if the action failed
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function answerApprovalForm(
  actor: SessionActor,
  app: { clientId: string; scopes: readonly string[] },
  form: FormFields,
): Promise<'yes' | 'approved' | 'no'> {
  try {
    const [, act, workspaceId = ''] = askDecision.exec(form.decision ?? '') ?? []
    if (act === 'approve') {
      const scopes = app.scopes.filter((scope) => resourceOf(scope))
      await approveApp(actor, workspaceId, app.clientId, { scopes, word: form.reason })
      return 'approved'
    }
    await requestApproval(actor, { ...app, workspaceId, reason: form.reason ?? '' })
    return 'yes'
  } catch (error) {
    if (!isAppError(error) || error.code === 'SERVICE_UNAVAILABLE') throw error
    return 'no'
  }
}

/**
 * Creates a project from the form that the consent and device pages show to users who have nothing to select.
 * @param form contains `project-name`, and `in`, the ID of the project's workspace
 * @returns either `made`, the ID of the project, or `refused`, the problem: `name` for an invalid name,
 *   `else` for any other error
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
 * Creates or updates the row of a metadata-document client, because authorizations reference the row. The
 * document remains the source of the metadata. The row contains a copy of the properties that Account > Apps
 * shows. Does nothing for any other client.
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
