import type { Tool } from '@modelcontextprotocol/server'
import type { GraphQLSchema } from 'graphql'
import { type Actor, isApp } from '@/lib/policy/actor'
import { withIncluded } from '@/lib/policy/scopes'
import { allTools } from './all-tools'
import { fromOperation } from './from-operation'
import { graphqlTools } from './graphql-tools'
import type { ReadyTool } from './tool'

export type ToolBox = {
  /** What there is for a caller. An app is told of those that take a scope which its token lacks. */
  list: (actor: Actor) => Tool[]
  find: (name: string) => ReadyTool | undefined
}

/** Every tool, its schemas made once for the process. */
export function makeToolBox(schema: GraphQLSchema): ToolBox {
  const tools = [...allTools.map((tool) => fromOperation(schema, tool)), ...graphqlTools(schema)]
  const byName = new Map(tools.map((tool) => [tool.listed.name, tool]))
  return {
    list: (actor) => tools.map(toldTo(actor)),
    find: (name) => byName.get(name),
  }
}

const toldTo = (actor: Actor) => {
  const held = isApp(actor) ? new Set(withIncluded([...actor.scopes])) : undefined
  return ({ listed, scope }: ReadyTool): Tool => {
    if (!held || !scope || suffices(held, scope)) return listed
    const lacking = `Takes the scope ${scope}, which this token lacks: to call it asks the person for it.`
    return { ...listed, description: `${listed.description} ${lacking}`, _meta: { 'latchkey/takes': scope } }
  }
}

/** A role in the workspace carries over to its projects. */
const suffices = (held: ReadonlySet<string>, scope: string): boolean =>
  held.has(scope) || held.has(scope.replace(/^project:/, 'workspace:'))
