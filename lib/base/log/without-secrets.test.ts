import { expect, it } from 'vitest'
import { mintClientId, mintCredential } from '@/lib/base/credentials/tokens'
import { withoutSecrets } from './without-secrets'

it.each([
  [`code ${mintCredential('authorizationCode')} is spent`, 'code lk_ac_[hidden] is spent'],
  [`lk_pat_tooshort`, 'lk_pat_[hidden]'],
  ['Authorization: Bearer abcdefgh.ijk', 'Authorization: Bearer [hidden]'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'Basic [hidden]'],
  ['token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'token [hidden]'],
  [
    'connect postgresql://latchkey:hunter2@db:5432/latchkey',
    'connect postgresql://[hidden]@db:5432/latchkey',
  ],
  [
    'GET https://idp.example/callback?code=abc&state=x failed',
    'GET https://idp.example/callback?[hidden] failed',
  ],
  ['back at https://app.example/#access_token=abc', 'back at https://app.example/?[hidden]'],
  ['no such box: ada.lovelace+x@example.com', 'no such box: [hidden]'],
  ['<Åda@exämple.org>', '<[hidden]>'],
  ['key 4f1c9a0be77d4f1c9a0be77d4f1c9a0b', 'key [hidden]'],
  ['secret QmFzZTY0VGV4dE9mMzJCeXRlcw', 'secret [hidden]'],
])('hides in %j what is secret or personal', (text, shown) => expect(withoutSecrets(text)).toBe(shown))

it.each([
  `client ${mintClientId()} is unknown`,
  'id 018f3b0a-7c1e-7aaa-9c3b-0123456789ab',
  'prepared statement oauth-token-snapshot-by-hash does not exist',
  'at /app/node_modules/@prisma/client/runtime/client.js:10:20',
  'migration 20261122060000_deliveries_are_queued_at_once',
  'connect ECONNREFUSED 127.0.0.1:5432',
  'Is the address right? Try again.',
])('leaves %j as it is', (text) => expect(withoutSecrets(text)).toBe(text))
