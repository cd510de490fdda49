import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  printType,
} from 'graphql'

/** So many operations and types a search answers at most: an agent's room is small. */
const most = 15

type Found = { kind: 'query' | 'mutation' | 'type'; name: string; sdl: string }

/**
 * Looks for operations and types of the API by words: each word must stand in the name or the description.
 * @param search such as `webhook create`; the exact name of a type finds that type whole
 * @returns the definitions in SDL, those that match by name first, and how many there are
 */
export function searchSchema(schema: GraphQLSchema, search: string): { found: Found[]; total: number } {
  const exact = schema.getType(search.trim())
  if (exact && !isIntrospectionType(exact)) return { found: [wholeType(exact)], total: 1 }
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = entriesOf(schema).flatMap((entry) => {
    const name = entry.name.toLowerCase()
    const text = `${name} ${entry.description.toLowerCase()}`
    if (!words.every((word) => text.includes(word))) return []
    return [{ entry, rank: words.filter((word) => name.includes(word)).length }]
  })
  matching.sort((a, b) => b.rank - a.rank || a.entry.name.localeCompare(b.entry.name))
  return { found: matching.slice(0, most).map(({ entry }) => entry.tell()), total: matching.length }
}

type Entry = { name: string; description: string; tell: () => Found }

function entriesOf(schema: GraphQLSchema): Entry[] {
  const query = schema.getQueryType()
  const mutation = schema.getMutationType()
  const fields = (kind: 'query' | 'mutation', type: typeof query): Entry[] =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      name: field.name,
      description: field.description ?? '',
      tell: () => ({ kind, name: field.name, sdl: fieldSdl(field) }),
    }))
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && type !== query && type !== mutation)
    .filter((type) => isObjectType(type) || isInputObjectType(type) || isEnumType(type))
    .map((type) => ({
      name: type.name,
      description: type.description ?? '',
      tell: () => ({
        kind: 'type' as const,
        name: type.name,
        sdl: `${type.name}: ${type.description ?? ''}`,
      }),
    }))
  return [...fields('query', query), ...fields('mutation', mutation), ...types]
}

/** The signature of an operation on one line, with what it is for. */
function fieldSdl({ name, args, type, description }: GraphQLField<unknown, unknown>): string {
  const inside = args.map((arg) => `${arg.name}: ${arg.type}`).join(', ')
  return `${name}${inside && `(${inside})`}: ${type} # ${description ?? ''}`
}

const wholeType = (type: GraphQLNamedType): Found => ({
  kind: 'type',
  name: type.name,
  sdl: printType(type)
    .replace(/"""\n\s*/g, '# ')
    .replace(/\n\s*"""/g, ''),
})
