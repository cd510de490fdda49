import { describe, expect, it } from 'vitest'
import { importsOf, layerOf, wrongImports } from './imports'

describe('layerOf', () => {
  it.each([
    ['app/login/page.tsx', 'surface'],
    ['components/ui/button.tsx', 'surface'],
    ['lib/web/session.ts', 'edge'],
    ['lib/oauth/handler.ts', 'edge'],
    ['lib/oauth-apps/create-app.ts', 'feature'],
    ['lib/policy/actor.ts', 'policy'],
    ['lib/db/pool.ts', 'base'],
    ['lib/db/pool.test.ts', undefined],
    ['lib/testing/database.ts', undefined],
    ['server.ts', undefined],
  ])('%s is %s', (file, layer) => expect(layerOf(file)).toBe(layer))
})

describe('importsOf', () => {
  it('sees every form and no comment', () => {
    const source = `
      import a from 'a'
      import type { B } from "b"
      import 'c'
      export { d } from 'd'
      import {
        e,
      } from 'e'
      const f = await import('f')
      // import g from 'g'
      /* import h from 'h' */
      const url = 'https://i.test/from'
      type J = import('j').J`
    expect(importsOf(source)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'j'])
  })
})

describe('wrongImports', () => {
  it.each([
    ['lib/db/pool.ts', '@/lib/policy/actor', 'base must not import policy'],
    ['lib/policy/actor.ts', '../projects/create-project', 'policy must not import feature'],
    ['lib/projects/create-project.ts', '@/lib/web/session', 'feature must not import edge'],
    ['lib/projects/create-project.ts', 'next/headers', 'the domain must not import next/headers'],
    ['lib/projects/create-project.ts', 'oidc-provider', 'the domain must not import oidc-provider'],
    ['lib/policy/visible.ts', 'graphql', 'the domain must not import graphql'],
    ['lib/web/session.ts', '@/components/ui/button', 'edge must not import surface'],
    ['components/ui/button.tsx', '@/app/brand', 'components must not import pages'],
    ['app/page.tsx', '@/lib/testing/factories', 'for tests and tools'],
    ['lib/oauth/handler.ts', '@/e2e/support/test', 'for tests and tools'],
  ])('%s importing %s: %s', (file, name, reason) => {
    expect(wrongImports(file, `import { x } from '${name}'`)).toEqual([expect.stringContaining(reason)])
    expect(wrongImports(file, `import type { x } from '${name}'`)).toHaveLength(1)
  })

  it.each([
    ['app/page.tsx', '@/lib/web/session'],
    ['app/page.tsx', 'next/link'],
    ['lib/web/session.ts', 'next/headers'],
    ['lib/graphql/handler.ts', '@/lib/oauth/resources'],
    ['lib/projects/create-project.ts', '@/lib/workspaces/find-workspace'],
    ['lib/projects/create-project.ts', '@/lib/policy/authorize'],
    ['lib/projects/create-project.ts', 'nextcloud-client'],
    ['lib/projects/create-project.test.ts', '@/lib/testing/factories'],
    ['server.ts', '@/lib/web/run-production'],
  ])('%s may import %s', (file, name) => {
    expect(wrongImports(file, `import { x } from '${name}'`)).toEqual([])
  })
})
