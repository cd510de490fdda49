import type { Metadata } from 'next'
import { LogCard } from '@/components/audit/log-card'
import { InstanceEventFilter } from '@/components/instance-admin/instance-event-filter'
import { dayOf, pageHrefs, pageOf, type SearchParams, textOf } from '@/lib/edges/web/console/list-page'
import { orSentence } from '@/lib/edges/web/console/or-not-found'
import { listInstanceEvents } from '@/lib/features/instance-admin/list-instance-events'
import { openInstanceAdmin } from '../open-instance-admin'

export const metadata: Metadata = { title: 'Audit log' }

const path = '/admin/audit'

export default async function InstanceAuditPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { actor } = await openInstanceAdmin(path)
  const query = await searchParams
  const [since, until] = [dayOf(query, 'since'), dayOf(query, 'until')]
  const text = (name: string) => textOf(query, name).replace(/\p{C}/gu, '').slice(0, 320)
  const [search, user, workspace] = [text('search'), text('user'), text('workspace')]
  const values = { search, user, workspace, since: since?.text ?? '', until: until?.text ?? '' }
  const filter = { search, user, workspace, since: since?.begins, until: until?.ends }
  const { found, sentence } = await orSentence(listInstanceEvents(actor, filter, pageOf(query)))
  return (
    <>
      <InstanceEventFilter path={path} values={values} />
      <LogCard
        path={path}
        events={found?.rows ?? []}
        sentence={sentence}
        filtered={Object.values(values).some(Boolean)}
        advice="Search by an ID or the start of an action (such as user or oauth_app), or choose a longer period."
        everywhere
        pages={found ? pageHrefs(path, values, found.rows, found) : {}}
        exported={values}
      >
        Changes that users and apps make anywhere on this instance appear here.
      </LogCard>
    </>
  )
}
