import { apiOperations } from './apis'
import { graphqlOperations } from './graphql'
import { mcpOperations } from './mcp'
import {
  code,
  device,
  document,
  introspect,
  refreshChained,
  refreshKept,
  refreshNearItsEnd,
  userinfo,
} from './oauth'
import type { OperationSpec } from './operation'

/**
 * All operations, in the order in which the `compare` mode measures them. The most important operations are
 * first, because the mode's time limit might end the run early. In each operation, all targets use the same
 * kind of app, signing algorithm, and refresh token rotation.
 */
const operations = {
  'refresh-web': refreshNearItsEnd('web'),
  'refresh-native': refreshChained('native'),
  'refresh-web-kept': refreshKept('web'),
  'code-web': code('web'),
  'code-native': code('native'),
  'refresh-web-rs256': refreshNearItsEnd('web-rs256'),
  'refresh-native-rs256': refreshChained('native-rs256'),
  'refresh-web-kept-rs256': refreshKept('web-rs256'),
  'code-web-rs256': code('web-rs256'),
  'code-native-rs256': code('native-rs256'),
  'userinfo-web': userinfo('web'),
  'userinfo-native': userinfo('native'),
  'introspect-web': introspect('web'),
  'introspect-native': introspect('native'),
  ...graphqlOperations,
  'device-web': device('web'),
  'device-native': device('native'),
  discovery: document('discovery', 'GET metadata', /"issuer"/),
  jwks: document('jwks', 'GET keys', /"keys"/),
  ...apiOperations,
  ...mcpOperations,
} satisfies Record<string, OperationSpec>

export type Operation = keyof typeof operations
export const operationNames = Object.keys(operations) as Operation[]
export const operationSpec = (name: Operation): OperationSpec => operations[name]

/**
 * Returns the operation with the given name. If there is none, returns all operations whose names begin with
 * the given name and a hyphen. For example, `code` selects the code exchanges of all apps.
 */
export const operationsCalled = (name: string): Operation[] =>
  name in operations ? [name as Operation] : operationNames.filter((each) => each.startsWith(`${name}-`))
