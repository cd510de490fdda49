import { expect, it } from 'vitest'
import { isServed, isTaken, packagesOf } from './traced-files'

it('isServed accepts only the files in .next that are read at run time', () => {
  const served = ['', 'BUILD_ID', 'routes-manifest.json', 'server', 'server/app/page.js', 'static/a.css']
  const left = ['cache', 'trace', 'trace-build', 'types', 'server/app/page.js.map', 'other/BUILD_ID']
  expect([...served, ...left].filter(isServed)).toEqual(served)
  expect(['node_modules/pg-1a2b', 'server/app/page.js.nft.json'].filter(isServed)).toEqual([
    'node_modules/pg-1a2b',
  ])
})

it('packagesOf returns the packages that contain the files', () => {
  const files = [
    'dist/server.js',
    'node_modules/pg/lib/index.js',
    'node_modules/pg/package.json',
    'node_modules/@img/sharp-linux-x64/lib/sharp.node',
    'node_modules/next/node_modules/postcss/lib/postcss.js',
  ]
  expect([...packagesOf(files)]).toEqual([
    'node_modules/pg',
    'node_modules/@img/sharp-linux-x64',
    'node_modules/next/node_modules/postcss',
  ])
})

it('isTaken accepts only the files of packages and of programs, but no previously packed files', () => {
  const taken = ['node_modules/pg/lib/index.js', 'dist/server.js', 'dist/chunks/a.js']
  const left = [
    'dist/standalone/dist/server.js',
    'dist/stamps/pack',
    'dist/build.lock',
    'prisma/migrations/1/migration.sql',
    'package.json',
    '.next/a.js',
  ]
  expect([...taken, ...left].filter(isTaken)).toEqual(taken)
})
