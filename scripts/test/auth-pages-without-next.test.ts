import { expect, it } from 'vitest'
import { filesLoadedBy, loadedBy } from './loaded-files'
import { read } from './sources'

it('the auth pages load no Next.js modules', () => {
  const ways = filesLoadedBy(['app/auth-pages/answer.ts'])
  const wrong = [...ways].flatMap(([file, way]) =>
    loadedBy(read(file))
      .filter((name) => /^next(\/|$)/.test(name))
      .map((name) => `${way}${file} -> ${name}`),
  )
  expect(wrong).toEqual([])
  expect([...ways.keys()]).toEqual(
    expect.arrayContaining(['components/consent/consent-page.tsx', 'components/auth/sign-in-page.tsx']),
  )
})
