import { randomUUID } from 'node:crypto'
import { prisma } from '@/lib/base/db/prisma'
import { allowOutboundForTests } from '@/lib/base/outbound/check-url'
import type { DescribedEvent } from '@/lib/features/audit/export-events'
import { createStream } from '@/lib/features/audit-streams/change-stream'
import { sendWaiting } from '@/lib/features/audit-streams/send-pending'
import type { SessionActor } from '@/lib/policy/actor'
import { makeUser, makeWorkspace } from './factories'
import { startTlsServer } from './tls-server'

/** Returns the actor for a user in a browser session. */
export const inBrowser = (userId: string, instanceAdmin = false): SessionActor => ({
  kind: 'session',
  userId,
  sessionId: randomUUID(),
  instanceAdmin,
})

/** Starts a receiver for audit streams, and makes the outbound guard allow requests to the receiver. */
export async function startAuditReceiver() {
  const state = {
    received: [] as { headers: Record<string, string>; body: string }[],
    /** The status of the responses, or `nothing` to close the connection without a response. */
    answer: 204 as number | 'nothing',
    /**
     * The maximum number of events that the receiver accepts in a message. It responds to a larger message
     * with 413.
     */
    most: 500,
    /** Runs after a message arrives and before the receiver responds. */
    meanwhile: async () => {},
  }
  const server = await startTlsServer((req, res) => {
    let body = ''
    req.on('data', (chunk) => {
      body += chunk
    })
    req.on('end', async () => {
      state.received.push({ headers: req.headers as Record<string, string>, body })
      await state.meanwhile()
      if (state.answer === 'nothing') res.destroy()
      else res.writeHead(JSON.parse(body).length > state.most ? 413 : state.answer).end()
    })
  })
  const openGuard = () =>
    allowOutboundForTests({ networks: ['127.0.0.0/8'], ports: [server.port], ca: server.ca })
  let closeGuard = openGuard()
  const messages = () => state.received.map(({ body }) => JSON.parse(body) as DescribedEvent[])
  return Object.assign(state, {
    url: `${server.origin}/audit`,
    messages,
    /**
     * Returns the names of the projects in the received creation events, in the order in which the events
     * arrived.
     */
    projects: () =>
      messages()
        .flat()
        .filter(({ action }) => action === 'project.created')
        .map(({ resourceName }) => resourceName),
    /** Calls a function without the outbound guard's allowance, as in production. */
    async guarded(work: () => Promise<void>): Promise<void> {
      closeGuard()
      await work()
      closeGuard = openGuard()
    },
    /**
     * Forgets the received messages, restores the default responses, and deletes all streams and unsent
     * events.
     */
    async reset(): Promise<void> {
      Object.assign(state, { received: [], answer: 204, most: 500, meanwhile: async () => {} })
      await prisma().auditStream.deleteMany()
      await prisma().auditWaiting.deleteMany()
    },
    /** Creates a workspace with an admin and an audit stream to this receiver. */
    async streamedWorkspace() {
      const { id } = await makeUser()
      const workspace = await makeWorkspace([[{ id }, 'ADMIN']])
      const actor = inBrowser(id)
      const place = { workspaceId: workspace.id }
      const { secret } = await createStream(actor, place, { url: `${server.origin}/audit` })
      return { actor, place, workspace, secret, placeId: workspace.id }
    },
    async close(): Promise<void> {
      closeGuard()
      await server.close()
    },
  })
}

/** Assigns a new job to a stream and runs the job immediately, as the queue does. */
export async function runStream(placeId: string): Promise<void> {
  const jobId = randomUUID()
  await prisma().auditStream.updateMany({ where: { placeId }, data: { jobId } })
  await sendWaiting(placeId, jobId)
}
