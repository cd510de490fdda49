import { endConnections } from '@/lib/base/db/end-connections'
import { mintCredentials } from './mint/credentials'
import { confidentialClient, ensurePopulation, publicClient } from './mint/population'
import type { CredentialKind } from './targets/target'

/**
 * `tsx bench/mint.ts refresh|code|access|confidential-access|device|session <count>`: makes credentials in the database of
 * DATABASE_URL (migrated; filled with people on first use), under the SECRET_KEY and BASE_URL of the server that shall
 * accept them. Prints `{ client: { id, secret }, items: [...] }`, an item being a text (a Cookie header for a browser
 * session), or `{ code, verifier }`.
 */
const kinds: CredentialKind[] = ['refresh', 'code', 'access', 'confidential-access', 'device', 'session']

async function main([kind, count]: string[]): Promise<void> {
  if (!kinds.includes(kind as CredentialKind) || !(Number(count) > 0)) {
    throw new Error(`usage: mint ${kinds.join('|')} <count>`)
  }
  const redirectUri = process.env.BENCH_REDIRECT_URI ?? 'https://client.example.test/callback'
  await ensurePopulation(redirectUri)
  const minted = await mintCredentials(kind as CredentialKind, Number(count), redirectUri)
  const items = minted.map(({ value, verifier }) => (verifier ? { code: value, verifier } : value))
  const client = kind === 'confidential-access' ? confidentialClient : publicClient
  console.log(JSON.stringify({ client, items }))
  await endConnections()
}

await main(process.argv.slice(2))
