import { expect, it } from 'vitest'
import packageJson from '@/package.json'
import { inProduct, outsideProduct } from './bill-of-materials'

it('the bill of materials lists the product’s dependencies and all packed packages, but no build tools', () => {
  const packages = {
    'node_modules/bundled': { version: '1.0.0', dependencies: { inner: '^1.0.0' } },
    'node_modules/bundled/node_modules/inner': { version: '1.0.0', peerDependencies: { shared: '*' } },
    'node_modules/inner': { version: '2.0.0' },
    'node_modules/shared': { version: '1.0.0', dependencies: { bundled: '*', elsewhere: '*' } },
    'node_modules/@a/native-here': { version: '1.1.0' },
    'node_modules/@a/native-elsewhere': { version: '1.1.0' },
    'node_modules/another-name': {
      name: 'own-name',
      version: '5.0.0',
      peerDependencies: { tool: '*' },
      peerDependenciesMeta: { tool: { optional: true } },
    },
    'node_modules/tool': { version: '3.0.0' },
    'node_modules/esbuild': { version: '1.0.0', dependencies: { inner: '*' } },
  }
  const dependencies = ['bundled', 'another-name', 'esbuild']
  expect([...inProduct(packages, dependencies, new Set(['node_modules/@a/native-here'])).values()]).toEqual([
    'bundled@1.0.0',
    'inner@1.0.0',
    'shared@1.0.0',
    '@a/native-here@1.1.0',
    'own-name@5.0.0',
  ])
})

it('every build tool that the bill of materials omits is a dependency', () => {
  expect(outsideProduct.filter((name) => !(name in packageJson.dependencies))).toEqual([])
})
