import type { Form } from '../plain/peek-form'

/** What a public client's token request says when it says nothing out of the ordinary. */
export type PlainForm = {
  clientId: string
  /** The refresh token or code. */
  credential: string
  /** Set where the credential is a code. */
  redemption: { redirectUri: string; verifier: string } | undefined
}

const refreshFields = ['client_id', 'grant_type', 'refresh_token'].join()
const codeFields = ['client_id', 'code', 'code_verifier', 'grant_type', 'redirect_uri'].join()
const visible = /^[\x21-\x7e]+$/

/**
 * The form of a refresh or of a code's exchange by a public client.
 * @returns undefined unless every field of it is there, with a value of visible characters, and no other
 */
export function toPlainForm(form: Form): PlainForm | undefined {
  const names = Object.keys(form).sort().join()
  if (names !== refreshFields && names !== codeFields) return undefined
  for (const name in form) if (!visible.test(form[name] ?? '')) return undefined
  const get = (name: string) => form[name] as string
  if (names === refreshFields) {
    if (form.grant_type !== 'refresh_token') return undefined
    return { clientId: get('client_id'), credential: get('refresh_token'), redemption: undefined }
  }
  if (form.grant_type !== 'authorization_code') return undefined
  const redemption = { redirectUri: get('redirect_uri'), verifier: get('code_verifier') }
  return { clientId: get('client_id'), credential: get('code'), redemption }
}
