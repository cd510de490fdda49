import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { noteCall } from '@/lib/features/audit/list-last-actions'
import type { Caller } from '@/lib/policy/bearer'
import { answerCall, nothingDone } from './answer-call'
import type { Api, ApiAnswer, Asking } from './api'
import type { ToolBox } from './tool-box'

/** What came of a call: what it answers, and what `callTool` says of the rest. */
export type CalledTool = { result: CallToolResult; refusal?: ApiAnswer; approvalUrl?: string | undefined }

/**
 * Calls a tool.
 * @param input as the client sent it; names that the tool does not have are refused, since a model that makes one up would
 *   else believe that it counts
 * @returns what it answers, and the refusal by the API that the whole request shall be answered with: a scope that is
 *   missing, a limit, an outage; and the page where the person is asked first, where nothing was done for that reason
 * @throws ProtocolError when there is no such tool
 */
export async function callTool(
  { api, box }: { api: Api; box: ToolBox },
  asking: Asking,
  name: string,
  input: Record<string, unknown> = {},
): Promise<CalledTool> {
  const tool = box.find(name)
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool named ${name}.`)
  const { title = name, inputSchema } = tool.listed
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(inputSchema.properties ?? {}, key))
  if (unknown.length > 0) {
    const known = Object.keys(inputSchema.properties ?? {}).join(', ')
    return refused(`${name} takes no ${unknown.join(', ')}. It takes: ${known}.`)
  }
  const missing = (inputSchema.required ?? []).filter(
    (key) => input[key] === undefined || input[key] === null,
  )
  if (missing.length > 0)
    return refused(`${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} required.`)
  const { caller } = asking
  const actor = { ...caller.actor, tool: { name, arguments: Object.keys(input) } }
  const answer = await tool.call(api, { ...asking, caller: { ...caller, actor } as Caller }, input)
  const refusal = refusalIn(answer)
  if (refusal || tool.listed.annotations?.readOnlyHint) noteCall(actor, refusal)
  const result = answerCall(title, answer)
  return isForTheClient(answer, tool.scope)
    ? { result, refusal: answer }
    : { result, approvalUrl: approvalUrlIn(answer) }
}

/** A call that is refused for its input, before the API is called. */
const refused = (sentence: string): CalledTool => ({
  result: { isError: true, content: [{ type: 'text', text: `BAD_USER_INPUT: ${sentence}` }] },
})

/** The code of what an answer was refused for; undefined where something was done. */
const refusalIn = ({ data, errors }: ApiAnswer): string | undefined =>
  data && !nothingDone(data) ? undefined : errors?.[0]?.extensions.code

const approvalUrlIn = ({ errors = [] }: ApiAnswer): string | undefined =>
  errors.map(({ extensions }) => extensions.approvalUrl).find((url) => typeof url === 'string')

/**
 * Whether the program that asks has to do something before the call can succeed: nothing was done, or what a reading tool is
 * for was left out.
 */
function isForTheClient({ status, data, errors = [] }: ApiAnswer, scope: string | undefined): boolean {
  const lacking = errors.filter(({ extensions }) => extensions.code === 'INSUFFICIENT_SCOPE')
  if (data && !nothingDone(data)) return lacking.some(({ extensions }) => extensions.requiredScope === scope)
  return status === 429 || status === 503 || lacking.length > 0
}
