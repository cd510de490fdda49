import type { Metadata } from 'next'
import { readSnippetValues } from '@/app/docs/snippet-values'
import { ArrivalList, ClientList } from '@/components/account/agent-lists'
import { Section } from '@/components/ui/card'
import { Stack } from '@/components/ui/stack'
import { requireSession } from '@/lib/edges/web/current-session'
import { listArrivals } from '@/lib/features/apps/authorizations/list-authorizations'
import { agentClients } from '@/lib/features/docs/snippets/agents'

export const metadata: Metadata = { title: 'Connect an agent' }

export default async function ConnectAgentPage() {
  const { actor } = await requireSession('/account/agents')
  const arrivals = await listArrivals(actor)
  return (
    <Stack>
      <Section title="Recently active" flush>
        <ArrivalList arrivals={arrivals} />
      </Section>
      <Section
        title="Your client"
        description="Choose your client. The client opens a browser so that you can sign in and choose its access."
        flush
      >
        <ClientList clients={agentClients(readSnippetValues())} />
      </Section>
    </Stack>
  )
}
