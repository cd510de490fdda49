import {
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'
import { guardedFetch } from '@/lib/base/outbound/guarded-fetch'
import { type CompanyDoor, findDoor } from '@/lib/features/company-access/company-door'
import { readIssuer } from '@/lib/features/company-access/read-issuer'
import { signInByCompany } from '@/lib/features/company-access/sign-in-by-company'
import { basic, type SignInProvider, signInProviders, timeout } from './sign-in-providers'

/** A provider by its name in addresses: one that the operator has configured, or a company's. */
export async function findSignInProvider(id: string): Promise<SignInProvider | undefined> {
  const configured = signInProviders().find((one) => one.id === id)
  if (configured) return configured
  const door = await findDoor(id)
  return door && companyProvider(door)
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The provider of a company, whose address a workspace's admin typed: everything that is asked of it goes through the guard. */
const companyProvider = (door: CompanyDoor): SignInProvider => ({
  id: door.id,
  label: door.workspaceName,
  scope: 'openid email profile',
  openid: true,
  configure: () => configure(door),
  async letIn(_client, tokens) {
    const claims = tokens.claims()
    if (!claims) throw new Error('The provider gave no id_token.')
    const { sub, tenant, tid, hd, email_verified: emailVerified } = claims
    return signInByCompany(door, {
      sub,
      tenant,
      tid,
      hd,
      email: text(claims.email),
      emailVerified,
      name: text(claims.name),
      avatarUrl: text(claims.picture),
    })
  },
})

async function configure({ issuer, clientId, secret }: CompanyDoor): Promise<Configuration> {
  const { algs, authMethods } = await readIssuer(issuer)
  // RS256 is what an OpenID provider has to have (OpenID Connect Core section 15.1); some have something better alone.
  const alg = algs.includes('RS256') ? 'RS256' : algs.find((each) => /^(PS|ES|Ed)/.test(each))
  const metadata = { client_secret: secret, id_token_signed_response_alg: alg ?? 'RS256' }
  const authentication =
    secret === undefined
      ? None()
      : authMethods.length > 0 && !authMethods.includes('client_secret_basic')
        ? ClientSecretPost(secret)
        : basic(secret)
  return discovery(new URL(issuer), clientId, metadata, authentication, {
    timeout,
    execute: [enableNonRepudiationChecks],
    [customFetch]: guarded,
  })
}

/** `fetch` for the library, through the guard and bounded. */
const guarded = async (
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
): Promise<Response> => {
  const answer = await guardedFetch(url, {
    purpose: 'identity-provider',
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    ...(body === undefined || body === null ? {} : { body: String(body) }),
  })
  const type = answer.headers['content-type']
  return new Response(new Uint8Array(answer.body), {
    status: answer.status,
    headers: type === undefined ? {} : { 'content-type': String(type) },
  })
}
