import { projectTools } from '@/lib/features/projects/tools'
import { mustHold, type OperationSpec } from './operation'

const list = projectTools.find(({ name }) => name === 'list_projects')

/**
 * An operation that lists a token's projects: at /mcp with the MCP tool, and elsewhere with the tool's
 * GraphQL query.
 */
export const mcpOperations: { 'mcp-list': OperationSpec } = {
  'mcp-list': {
    ...{ app: 'web', path: 'tool', needs: 'access' },
    title: `an agent that lists projects:\n\n    ${list?.operation.replaceAll('\n', '\n    ')}`,
    request:
      ({ path }) =>
      (lane) => ({
        ...{ method: 'POST', path },
        body: JSON.stringify(
          path === '/mcp'
            ? {
                jsonrpc: '2.0',
                id: 1,
                method: 'tools/call',
                params: { name: 'list_projects', arguments: {} },
              }
            : { query: list?.operation },
        ),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${lane.next().value}`,
        },
      }),
    check: mustHold(/"nodes\\?"\s*:\s*\[\s*\{/),
  },
}
