import {
  type ListResourcesResult,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { config } from '@/lib/base/config/env'
import { docsNavigation } from '@/lib/features/docs/navigation'
import { roleFromScopes } from '@/lib/policy/scopes'
import type { CalledTool } from './tools/tool-box'

/**
 * A function that returns a docs page as Markdown, or undefined for an unknown page. lib/server provides it.
 */
export type ReadDocs = (path: string) => Promise<string | undefined>

/**
 * A function that calls a tool on behalf of the caller. A `refusal` in its result becomes the whole response.
 */
type Call = (name: string, input: Record<string, unknown>) => Promise<CalledTool>

const projectUri = /^latchkey:\/\/projects\/([0-9a-f-]+)$/

/** The URI template of a project, for clients that have the project's ID. */
export const resourceTemplates = [
  {
    uriTemplate: 'latchkey://projects/{id}',
    name: 'project',
    title: 'A project',
    description: 'A project with its environments.',
    mimeType: 'application/json',
  },
]

/** Returns the public resources: the schema and the docs pages. Clients can also open their URLs directly. */
const publicResources = (): Resource[] => [
  {
    uri: schemaUri(),
    name: 'schema.graphql',
    title: 'The GraphQL schema',
    description: 'The complete schema. Use the tool describe_schema to look up a part of it.',
    mimeType: 'text/plain',
  },
  ...docsNavigation.flatMap(({ pages }) =>
    pages.map(({ href, title, summary }) => ({
      uri: docsUri(href),
      name: href.slice(1),
      title,
      description: summary,
      mimeType: 'text/markdown',
    })),
  ),
]

const schemaUri = () => `${config().BASE_URL}/schema.graphql`
const docsUri = (path: string) => `${config().BASE_URL}${path}.md`

type Projects = {
  nodes: { id: string; name: string; description: string }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

const mayListProjects = (scopes: ReadonlySet<string>): boolean =>
  roleFromScopes(scopes, 'project') !== undefined || roleFromScopes(scopes, 'workspace') !== undefined

/**
 * Returns one page of resources. The first page starts with the schema and the docs. Each page contains up to
 * 50 of the projects that the token can access. If the token's scopes do not allow listing projects, or if
 * the projects cannot be listed, they are omitted. See ADR 0025.
 * @param scopes the app's scopes; undefined for other callers
 * @param cursor the cursor from the previous page; undefined for the first page
 */
export async function listResources(
  { call, scopes }: { call: Call; scopes: ReadonlySet<string> | undefined },
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  // Skip the call if no scope allows listing projects. The call would fail and record an error.
  if (scopes && !mayListProjects(scopes)) return { resources: publicResources() }
  const { result } = await call('list_projects', {
    first: 50,
    ...(cursor === undefined ? {} : { after: cursor }),
  })
  const page = dataOf(result).projects as Projects | null | undefined
  const projects = (page?.nodes ?? []).map(({ id, name, description }) => ({
    uri: `latchkey://projects/${id}`,
    name: id,
    title: name,
    ...(description ? { description } : {}),
    mimeType: 'application/json',
  }))
  const { hasNextPage, endCursor } = page?.pageInfo ?? { hasNextPage: false, endCursor: null }
  return {
    resources: [...(cursor === undefined ? publicResources() : []), ...projects],
    ...(hasNextPage && endCursor ? { nextCursor: endCursor } : {}),
  }
}

/**
 * Reads a resource.
 * @throws ResourceNotFoundError if there is no such resource, if the token has no access to it, or if the
 *   project cannot be read for a reason other than a `refusal`
 */
export async function readResource(
  { schemaText, readDocs, call }: { schemaText: () => string; readDocs: ReadDocs; call: Call },
  uri: string,
): Promise<ReadResourceResult> {
  const [, id] = projectUri.exec(uri) ?? []
  if (id !== undefined) {
    const called = await call('get_project', { id })
    const { project } = dataOf(called.result)
    if (!project && !called.refusal) throw new ResourceNotFoundError(uri)
    return as(uri, 'application/json', JSON.stringify(project ?? null))
  }
  if (uri === schemaUri()) return as(uri, 'text/plain', schemaText())
  const page = publicResources().find((each) => each.uri === uri)
  const text = page && (await readDocs(`/${page.name}`))
  if (text === undefined) throw new ResourceNotFoundError(uri)
  return as(uri, 'text/markdown', text)
}

const dataOf = ({ structuredContent }: CalledTool['result']) =>
  (structuredContent ?? {}) as Record<string, unknown>

const as = (uri: string, mimeType: string, text: string): ReadResourceResult => ({
  contents: [{ uri, mimeType, text }],
})
