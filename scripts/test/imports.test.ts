import { describe, expect, it } from 'vitest'
import { floorOf, importsOf, wrongImports } from './imports'

describe('floorOf', () => {
  it.each([
    ['app/login/page.tsx', 'surface'],
    ['components/ui/button.tsx', 'surface'],
    ['lib/server/dispatch.ts', 'server'],
    ['lib/commands/database.ts', 'command'],
    ['lib/edges/oauth/http/handler.ts', 'edge'],
    ['lib/features/apps/create-app.ts', 'feature'],
    ['lib/policy/actor.ts', 'policy'],
    ['lib/base/db/pool.ts', 'base'],
    ['lib/base/db/pool.test.ts', undefined],
    ['lib/testing/database.ts', undefined],
    ['server.ts', undefined],
  ])('for the file %s returns %s', (file, floor) => expect(floorOf(file)).toBe(floor))
})

describe('importsOf', () => {
  it('finds every form of import and ignores comments', () => {
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
    ['lib/base/db/pool.ts', '@/lib/policy/actor', 'base must not import policy'],
    ['lib/policy/actor.ts', '../features/projects/create-project', 'policy must not import feature'],
    [
      'lib/features/projects/create-project.ts',
      '@/lib/edges/web/current-session',
      'feature must not import edge',
    ],
    ['lib/edges/oauth/http/handler.ts', '@/lib/edges/web/forms/submit-form', 'must not import each other'],
    ['lib/edges/oauth/http/handler.ts', '@/lib/server/dispatch', 'edge must not import server'],
    ['lib/server/dispatch.ts', '@/app/brand', 'server must not import surface'],
    ['lib/server/dispatch.ts', '@/lib/commands/database', 'server must not import command'],
    ['app/page.tsx', '@/lib/commands/database', 'pages must not import commands'],
    ['lib/features/projects/create-project.ts', 'next/headers', 'the domain must not import next/headers'],
    ['lib/features/projects/create-project.ts', 'oidc-provider', 'the domain must not import oidc-provider'],
    ['lib/policy/visible.ts', 'graphql', 'the domain must not import graphql'],
    ['lib/edges/web/forms/submit-form.ts', '@/components/ui/button', 'edge must not import surface'],
    ['components/ui/button.tsx', '@/app/brand', 'components must not import pages'],
    ['app/page.tsx', 'next/link', 'use Link from components/ui/link.tsx'],
    ['app/page.tsx', '@/lib/testing/factories', 'for tests and tools'],
    ['lib/edges/oauth/http/handler.ts', '@/e2e/support/test', 'for tests and tools'],
  ])('does not allow %s to import %s, with an error that contains “%s”', (file, name, reason) => {
    expect(wrongImports(file, `import { x } from '${name}'`)).toEqual([expect.stringContaining(reason)])
    expect(wrongImports(file, `import type { x } from '${name}'`)).toHaveLength(1)
  })

  it.each([
    ['app/page.tsx', '@/lib/features/identity/sessions/find-live-session'],
    ['components/ui/link.tsx', 'next/link'],
    ['app/page.tsx', 'next/navigation'],
    ['lib/edges/web/current-session.ts', 'next/headers'],
    ['lib/edges/graphql/handler.ts', './schema'],
    ['lib/server/start-server.ts', '@/lib/edges/oauth/http/handler'],
    ['lib/features/projects/create-project.ts', '@/lib/features/workspaces/find-workspace'],
    ['lib/features/projects/create-project.ts', '@/lib/policy/authorize'],
    ['lib/features/projects/create-project.ts', 'nextcloud-client'],
    ['lib/features/projects/create-project.test.ts', '@/lib/testing/factories'],
    ['server.ts', '@/lib/server/run-production'],
  ])('allows %s to import %s', (file, name) => {
    expect(wrongImports(file, `import { x } from '${name}'`)).toEqual([])
  })

  it('rejects files outside of the layers', () => {
    expect(wrongImports('lib/deployments/list.ts', '')).toEqual([
      expect.stringContaining('one of its layers'),
    ])
    expect(wrongImports('lib/list.ts', '')).toHaveLength(1)
  })
})
