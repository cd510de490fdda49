import type { IncomingMessage, ServerResponse } from 'node:http'
import { mintCredential } from '@/lib/base/credentials/tokens'
import { countUse } from '@/lib/features/apps/usage/count-use'
import { lifetimes } from '../config/lifetimes'
import { defect } from '../engine/answer-rules'
import type { Engine } from '../engine/provider'
import type { Signer } from '../engine/signer'
import { peekForm } from '../plain/peek-form'
import { sendPlainJson } from '../plain/send-plain-json'
import { toRow } from '../store/artifacts'
import { commitTokenRequest } from '../store/commit-token-request'
import { sealAnswer } from '../store/replay-answer'
import { arrivalOf, forgetReadAhead, RequestUnit, readAhead } from '../store/request-unit'
import { decideTokens, type Issue } from './decide-tokens'
import { signIdToken } from './id-token'
import { type PlainForm, toPlainForm } from './plain-form'

/**
 * Answers the two requests that make up nearly all of a token endpoint's work, where they are what they nearly always
 * are: a public client exchanges its refresh token, or a code with its PKCE verifier, and all is in order. Everything
 * else, and every refusal, is the engine's: it gets the request untouched, with what was read, before anything is written.
 * @returns whether the request was answered
 */
export async function answerPlainGrant(
  { signers }: Engine,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  if (req.method !== 'POST' || req.headers.authorization !== undefined) return false
  const sent = await peekForm(req)
  const form = sent && toPlainForm(sent)
  if (!form) return false
  const snapshot = await readAhead(req, form.clientId, form.credential)
  const now = Math.floor(Date.now() / 1000)
  const issue = decideTokens(form, snapshot, now)
  const signer = issue && signers.get(issue.idTokenAlg)
  if (!signer) return false
  const unit = new RequestUnit('token', form.credential, arrivalOf(req))
  unit.snapshot = snapshot
  const redemption = form.redemption && unit.redeem(issue.artifact)
  try {
    const body = await issueTokens(signer, unit, form, issue, now)
    if (!body) {
      // Another request was first. The engine reads again, and finds out what that means.
      forgetReadAhead(req)
      return false
    }
    countUse(form.clientId, 'tokens')
    req.resume()
    sendPlainJson(res, body, exposed)
    return true
  } catch (error) {
    // Whether anything was written is not known, so nobody else may try.
    console.error(error)
    req.resume()
    sendPlainJson(res, defect, exposed, 500)
    return true
  } finally {
    redemption?.end()
  }
}

const exposed = 'DPoP-Nonce,WWW-Authenticate'

/** @returns the answer; undefined when the credential was used meanwhile, and then nothing was written */
async function issueTokens(
  signer: Signer,
  unit: RequestUnit,
  form: PlainForm,
  issue: Issue,
  now: number,
): Promise<object | undefined> {
  const add = (model: 'AccessToken' | 'RefreshToken', payload: Record<string, unknown>) => {
    const value = mintCredential(model === 'AccessToken' ? 'accessToken' : 'refreshToken')
    const row = toRow(model, value, payload, Number(payload.exp) - now)
    unit.inserts.push({ ...row, authorizationId: issue.authorization.id, family: issue.artifact.family })
    return value
  }
  unit.consumed = true
  const refreshToken = issue.refreshToken && add('RefreshToken', issue.refreshToken)
  const answer = {
    access_token: add('AccessToken', issue.accessToken),
    expires_in: lifetimes.AccessToken,
    id_token: await signIdToken(signer, form.clientId, issue.idToken, now),
    refresh_token: refreshToken,
    scope: issue.scope,
    token_type: 'Bearer',
  }
  const sealed = form.redemption ? null : sealAnswer(form.credential, {}, answer)
  return (await commitTokenRequest(unit, sealed)) ? answer : undefined
}
