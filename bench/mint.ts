import { endConnections } from '@/lib/base/db/pool'
import { mintCredentials } from './mint/credentials'
import { clients, ensurePopulation } from './mint/population'
import { type AppName, appNames } from './operations/apps'
import { type CredentialKind, credentialKinds } from './operations/operation'

/**
 * `tsx bench/mint.ts <kind> <count> [app]`: creates credentials in the database of DATABASE_URL, with the
 * SECRET_KEY and BASE_URL of the server that accepts them. The database must be migrated. The first run fills
 * the database with users and apps. If the app is omitted, the credentials belong to the native app. Prints
 * `{ client: { id, secret }, items: [...] }`. An item is `{ code, verifier }` for an authorization code, and
 * otherwise a string. For a browser session, the string is the value of a Cookie header.
 */
async function main([kind, count, app = 'native']: string[]): Promise<void> {
  const known = credentialKinds.includes(kind as CredentialKind) && appNames.includes(app as AppName)
  if (!known || !(Number(count) > 0)) {
    throw new Error(`usage: mint ${credentialKinds.join('|')} <count> [${appNames.join('|')}]`)
  }
  const redirectUri = process.env.BENCH_REDIRECT_URI ?? 'https://client.example.test/callback'
  await ensurePopulation(redirectUri)
  const minted = await mintCredentials(kind as CredentialKind, Number(count), app as AppName, redirectUri)
  const items = minted.map(({ value, verifier }) => (verifier ? { code: value, verifier } : value))
  console.log(JSON.stringify({ client: clients[app as AppName], items }))
  await endConnections()
}

await main(process.argv.slice(2))
