import type { GraphQLError } from 'graphql'

const misplaced = /^Variable "[^"]*" of type "([^"]+)" used in position expecting type "([^"]+)"\.$/

/**
 * Whether a validation error says no more than that a variable for an id was declared as a string. Ids are strings on the
 * wire, and clients written for APIs of this kind declare `$id: String!` as often as `$id: ID!`; both are taken.
 * @param error as `VariablesInAllowedPositionRule` reports it (GraphQL specification, section 5.8.5)
 */
export function isStringForId(error: GraphQLError): boolean {
  const [, given, expected] = misplaced.exec(error.message) ?? []
  if (!given || !expected || !/\bString\b/.test(given)) return false
  const asId = given.replace(/\bString\b/, 'ID')
  return asId === expected || asId === `${expected}!`
}
