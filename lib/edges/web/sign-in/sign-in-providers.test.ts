import type { OAuthConfig } from 'next-auth/providers/oauth'
import { afterEach, expect, it, vi } from 'vitest'
import { resetConfig } from '@/lib/base/config/env'
import { signInProviders } from './sign-in-providers'

afterEach(() => {
  vi.unstubAllEnvs()
  resetConfig()
})

/** What the generic provider does with a code. @returns where the code was sent, if anywhere */
async function redeem(configured: string, found: string): Promise<string[]> {
  vi.stubEnv('OIDC_ISSUER', configured)
  vi.stubEnv('OIDC_CLIENT_ID', 'latchkey')
  resetConfig()
  const provider = signInProviders({}).find(({ id }) => id === 'oidc') as OAuthConfig<unknown>
  const sent: string[] = []
  const client = {
    issuer: { metadata: { issuer: found } },
    callback: async (_to: string, { code }: { code: string }) => sent.push(code),
  }
  const { request } = provider.token as { request: (context: unknown) => Promise<unknown> }
  await request({ client, provider, params: { code: 'c' }, checks: {} })
  return sent
}

it('a provider whose metadata names another issuer gets no code, and signs nobody in', async () => {
  for (const found of ['https://evil.example', 'https://id.example.evil', 'https://id.example//', '']) {
    await expect(redeem('https://id.example', found)).rejects.toThrow('OIDC_ISSUER is https://id.example')
  }
})

it('a slash at the end of an issuer makes no difference', async () => {
  expect(await redeem('https://id.example/', 'https://id.example')).toEqual(['c'])
  expect(await redeem('https://id.example', 'https://id.example/')).toEqual(['c'])
})
