import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { testPort } from '@/lib/testing/free-port'
import { makeTemporaryData } from '@/lib/testing/temporary-data'
import { cleanEnvironment } from '@/lib/testing/test-environment'
import { findCommit } from '@/scripts/launch/commit'
import { packedFolder } from './support/environment'
import { makeOwnDatabase } from './support/own-database'
import { startReplica } from './support/replicas'
import { signUp } from './support/sign-up'
import { expect, test } from './support/test'

// Playwright's loader can import JSON only with an import attribute.
const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string }

// replicas.spec.ts tests sign-in to apps, tokens, GraphQL, and the device flow with the packed folder.

test.describe('the packed server', () => {
  let server: Awaited<ReturnType<typeof startReplica>>
  let base: string
  test.beforeAll(async () => {
    const port = await testPort()
    base = `http://localhost:${port}`
    server = await startReplica(port, base, await makeOwnDatabase({ isEmpty: true }))
  })
  test.afterAll(async () => {
    const exited = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    expect(await exited).toBe(0)
  })

  test('rejects a common password, signs up a user, stores an image, and shows the docs', async ({
    browser,
  }) => {
    const context = await browser.newContext({ baseURL: base })
    const page = await context.newPage()
    await page.goto('/docs')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.goto('/signup')
    await page.getByRole('textbox', { name: 'Name' }).fill('Easy Guess')
    await page.getByRole('textbox', { name: 'Email' }).fill('easy@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('password1234')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAccessibleDescription(
      /commonly used password/,
    )

    await signUp(page)
    await page.goto('/account/profile')
    const picture = sharp({ create: { width: 300, height: 240, channels: 3, background: '#7c3aed' } }).png()
    await page
      .getByLabel('New picture')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await picture.toBuffer() })
    await page.getByRole('button', { name: 'Upload' }).click()
    const shown = page.locator('form#picture img')
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256)
    await context.close()
  })

  test('becomes ready and reports no problem with its background jobs', async () => {
    await expect.poll(async () => (await fetch(`${base}/readyz`)).json()).toEqual({ status: 'ready' })
  })

  test('shows unauthenticated clients neither its version nor its commit', async () => {
    const commit = findCommit(process.cwd(), {}).slice(0, 7)
    for (const address of [
      '/healthz',
      '/readyz',
      '/login',
      '/oauth/.well-known/openid-configuration',
      '/mcp',
    ]) {
      const answer = await fetch(`${base}${address}`)
      const response = JSON.stringify([...answer.headers]) + (await answer.text())
      expect(response, address).not.toContain(version)
      if (commit) expect(response, address).not.toContain(commit)
    }
  })
})

test('the packed folder contains a list of all its packages with their licenses, and no build tools', async () => {
  const packed = await packedFolder()
  const read = (file: string) => fs.readFileSync(path.join(packed, file), 'utf8')
  const bill = JSON.parse(read('sbom.cdx.json'))
  const notices = read('THIRD-PARTY-NOTICES.txt')
  const listed = new Set(
    bill.components.map((each: { name: string; version: string }) => `${each.name} ${each.version}`),
  )
  const manifests = fs
    .readdirSync(path.join(packed, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(.*\/node_modules\/)?(@[^/]+\/)?[^@/][^/]*\/package\.json$/.test(file))
    .map((file) => JSON.parse(read(`node_modules/${file}`)))
  expect(manifests.length).toBeGreaterThan(50)
  for (const { name, version } of manifests) {
    expect(listed).toContain(`${name} ${version}`)
    expect(notices).toContain(`${name} ${version} | `)
  }
  for (const name of ['next', 'sharp', 'pg', 'zod', '@fontsource-variable/inter']) {
    expect(bill.components.map((each: { name: string }) => each.name)).toContain(name)
  }
  for (const tool of ['esbuild', 'prisma', 'typescript', 'tailwindcss', 'playwright-core', 'vitest']) {
    expect([...listed].filter((each) => String(each).startsWith(`${tool} `))).toEqual([])
  }
  // The LGPL and OFL require that the product includes their full text.
  expect(notices).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  expect(notices).toContain('SIL OPEN FONT LICENSE')
})

test('the packed command reports its version and the commit it was built from', async () => {
  const packed = await packedFolder()
  const latchkey = (word: string) =>
    spawnSync(process.execPath, [path.join(packed, 'dist/latchkey.js'), word], {
      // Run outside the clone, whose .git folder would also reveal the commit.
      cwd: path.dirname(packed),
      env: { ...cleanEnvironment(), LATCHKEY_COMMIT: 'f'.repeat(40) },
      encoding: 'utf8',
    })
  const commit = findCommit(process.cwd(), {})
  expect(latchkey('version')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: `version  ${version}\ncommit   ${commit || 'unknown'}\nnode     ${process.versions.node}\n`,
  })
  expect(latchkey('--version').stdout).toBe(latchkey('version').stdout)
  expect(latchkey('check').stdout).toContain(
    `ok       release         ${version} (${commit ? commit.replace(/^(\w{12})\w*/, '$1') : 'commit unknown'})\n`,
  )
})

test('without DATABASE_URL, the packed check command reports an error and creates no data directory', async () => {
  const packed = await packedFolder()
  const folder = path.join(makeTemporaryData(), 'none')
  const env = { ...cleanEnvironment(), DATA_DIR: folder }
  const { status, stdout } = spawnSync(process.execPath, [path.join(packed, 'dist/latchkey.js'), 'check'], {
    env,
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([
    1,
    expect.stringMatching(/^ERROR {4}database {8}There is no embedded PostgreSQL .*\. Set DATABASE_URL/m),
  ])
  expect(fs.existsSync(folder)).toBe(false)
})
