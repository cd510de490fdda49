import type { Tool } from '@modelcontextprotocol/server'
import type { Scope } from '@/lib/policy/scopes'
import type { Api, ApiAnswer, Asking } from './api'

/** A tool, ready to be listed and called. */
export type ReadyTool = {
  /** As `tools/list` tells it. */
  listed: Tool
  /** What an app needs for it; absent where every token may, or where it depends on the input. */
  scope?: Scope | undefined
  /** @param input holds no other names than the input schema */
  call: (api: Api, asking: Asking, input: Record<string, unknown>) => Promise<ApiAnswer>
}
