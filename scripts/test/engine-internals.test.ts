import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { engineVersion, internalUses, undocumentedUses } from './engine-internals'

const root = path.join(import.meta.dirname, '../..')
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const filesBelow = (folder: string) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.split(path.sep).join('/')}`)
    .filter((name) => /\.tsx?$/.test(name))

it('the check finds undocumented uses of oidc-provider outside the listed modules', () => {
  const file = 'lib/edges/oauth/http/handler.ts'
  for (const source of [
    "import instance from 'oidc-provider/lib/helpers/weak_cache.js'",
    'provider.Client.prototype.redirectUriAllowed = () => true',
    'provider.Client.find = async () => undefined',
    'const keys = client as unknown as KeyStore',
    'provider.use(middleware as never)',
    "Object.defineProperty(provider, 'OIDCContext', {})",
  ]) {
    expect(undocumentedUses(file, source), source).toHaveLength(1)
    expect(undocumentedUses('lib/edges/oauth/engine/client-authentication.ts', source)).toEqual([])
  }
  const elsewhere = "import { Provider } from 'oidc-provider'\nProvider.prototype.use = () => undefined"
  expect(undocumentedUses('lib/features/apps/create-app.ts', elsewhere)).toHaveLength(1)
  expect(undocumentedUses(file, 'if (provider.issuer === other) return provider.Client.find(id)')).toEqual([])
})

it('only the listed modules contain undocumented uses of oidc-provider', () => {
  const found = ['app', 'components', 'lib']
    .flatMap(filesBelow)
    .flatMap((file) => undocumentedUses(file, read(file)))
  expect(found).toEqual([])
})

it('every listed module exists and contains an undocumented use of oidc-provider', () => {
  for (const { module } of internalUses) {
    const source = read(`lib/edges/oauth/engine/${module}.ts`)
    expect(undocumentedUses(`lib/edges/oauth/other/${module}.ts`, source), module).not.toEqual([])
  }
})

it('the list of undocumented uses was checked against the installed version of oidc-provider', () => {
  const installed = JSON.parse(read('node_modules/oidc-provider/package.json'))
  expect(installed.version).toBe(engineVersion)
  // A range would install another version without review.
  expect(JSON.parse(read('package.json')).dependencies['oidc-provider']).toBe(engineVersion)
})
