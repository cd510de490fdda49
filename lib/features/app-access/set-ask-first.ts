import { z } from 'zod'
import { prisma } from '@/lib/base/db/prisma'
import { parseInput } from '@/lib/base/errors/parse-input'
import { recordEvent } from '@/lib/features/audit/record-event'
import type { Actor } from '@/lib/policy/actor'
import { type Askable, askable } from '@/lib/policy/ask-first'
import { holdWorkspace, lockWorkspace } from '@/lib/policy/hold'
import type { WorkspaceRow } from '@/lib/policy/require'
import { requireDecider } from './require-decider'

const names = Object.keys(askable) as [Askable, ...Askable[]]

const askFirstInput = z.object({
  askFirst: z
    .union([z.string().transform((text) => text.split(/\s+/).filter(Boolean)), z.array(z.string())])
    .pipe(z.array(z.enum(names, { error: 'Choose from the list.' }))),
})

/**
 * Sets what apps do in a workspace only after they asked their person. Counts at their next request; what was approved for an
 * hour stays approved.
 * @param input `askFirst`: a list, or words in a text; none for nothing
 * @throws AppError BAD_USER_INPUT, and as `requireDecider`
 */
export async function setAskFirst(actor: Actor, workspaceId: string, input: unknown): Promise<WorkspaceRow> {
  const chosen = new Set(parseInput(askFirstInput, input).askFirst)
  const askFirst = names.filter((name) => chosen.has(name))
  const workspace = await requireDecider(actor, workspaceId)
  const { id } = workspace
  await prisma().$transaction(async (tx) => {
    await lockWorkspace(tx, id)
    await holdWorkspace(tx, actor, 'workspace:decide-apps', id)
    await tx.workspace.update({ where: { id }, data: { askFirst } })
    await recordEvent(tx, actor, {
      action: 'workspace.ask_first_changed',
      resource: { type: 'workspace', id },
      workspaceId: id,
      details: { from: workspace.askFirst, to: askFirst },
    })
  })
  return { ...workspace, askFirst }
}
