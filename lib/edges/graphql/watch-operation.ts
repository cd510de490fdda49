import type { DocumentNode, ExecutionResult, OperationDefinitionNode, SelectionNode } from 'graphql'
import { operationDuration } from '@/lib/base/telemetry/metrics'
import { recorder } from '@/lib/base/telemetry/telemetry'

/** Longer lists are cut: a query may ask for many fields at once. */
const mostFields = 10

/** The names of the fields at the root of an operation, each once. They are the schema's: the document was found sound. */
function rootFields({ definitions }: DocumentNode, { selectionSet }: OperationDefinitionNode): string[] {
  const names = new Set<string>()
  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (selection.kind === 'Field') names.add(selection.name.value)
      else if (selection.kind === 'InlineFragment') collect(selection.selectionSet.selections)
      else {
        const { value } = selection.name
        const found = definitions.find(
          (each) => each.kind === 'FragmentDefinition' && each.name.value === value,
        )
        if (found && 'selectionSet' in found) collect(found.selectionSet.selections)
      }
    }
  }
  collect(selectionSet.selections)
  return [...names]
}

type Result = ExecutionResult | Promise<ExecutionResult>

/**
 * Measures an operation that is about to be executed, as a step of its request: whether it reads or writes, and the fields at
 * its root. Neither its text and name, which the caller chose, nor its variables.
 */
export function watchOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  execute: () => Result,
): Result {
  const recording = recorder()
  if (!recording) return execute()
  const type = operation.operation
  const fields = rootFields(document, operation)
  const since = performance.now()
  const labels = { 'graphql.operation.type': type, 'graphql.fields': fields.slice(0, mostFields).join(' ') }
  return recording.within({ name: `${type} ${fields[0]}`, labels }, async (end) => {
    const result = await execute()
    const failure = result.errors ? 'errors' : undefined
    end(failure)
    operationDuration.record((performance.now() - since) / 1000, {
      'graphql.operation.type': type,
      field: fields.length === 1 ? fields[0] : 'several',
      'error.type': failure,
    })
    return result
  })
}
