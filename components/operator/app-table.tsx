import Link from 'next/link'
import type { FormAction } from '@/lib/edges/web/forms/form-state'
import { ActionButton } from '../forms/action-button'
import { ConfirmAction } from '../forms/confirm-action'
import { Avatar } from '../ui/avatar'
import { Badge } from '../ui/badge'
import { Cell, Head, Row, Table } from '../ui/table'
import { Time } from '../ui/time'

export type OperatedApp = {
  id: string
  name: string
  source: 'SETTINGS' | 'DYNAMIC' | 'METADATA_DOCUMENT'
  type: 'WEB' | 'NATIVE'
  logoUrl: string | null
  verifiedAt: Date | null
  disabledAt: Date | null
  awaitingApproval: boolean
  createdAt: Date
  workspace: { id: string; name: string } | null
  people: number
}

type Actions = {
  approve: FormAction
  disable: FormAction
  enable: FormAction
  verify: FormAction
  unverify: FormAction
}

const origins = {
  SETTINGS: 'Workspace',
  DYNAMIC: 'Registered itself',
  METADATA_DOCUMENT: 'Metadata document',
}
const small = { size: 'small' } as const

/** OAuth apps of every origin, with what the operator can do to them. */
export function OperatedAppTable({ apps, actions }: { apps: OperatedApp[]; actions: Actions }) {
  return (
    <Table
      caption="OAuth apps"
      head={
        <>
          <Head>App</Head>
          <Head>From</Head>
          <Head numeric>People</Head>
          <Head numeric>Created</Head>
          <Head srOnly>Actions</Head>
        </>
      }
    >
      {apps.map((app) => (
        <Row key={app.id}>
          <Cell>
            <div className="flex items-center gap-3">
              <Avatar name={app.name} src={app.logoUrl} shape="square" />
              <div className="grid min-w-0">
                <span className="flex flex-wrap items-center gap-1.5 font-medium">
                  <Link href={`/operator/apps/${encodeURIComponent(app.id)}`} className="hover:underline">
                    {app.name}
                  </Link>
                  {app.awaitingApproval && <Badge tone="warning">Waiting</Badge>}
                  {app.disabledAt && <Badge tone="danger">Disabled</Badge>}
                  {app.verifiedAt && <Badge tone="success">Verified</Badge>}
                </span>
                <span className="break-all font-mono text-[13px] text-muted">{app.id}</span>
              </div>
            </div>
          </Cell>
          <Cell>
            {app.workspace ? (
              <Link href={`/operator/workspaces/${app.workspace.id}`} className="hover:underline">
                {app.workspace.name}
              </Link>
            ) : (
              origins[app.source]
            )}
          </Cell>
          <Cell numeric>{app.people}</Cell>
          <Cell numeric muted>
            <Time at={app.createdAt} />
          </Cell>
          <Cell numeric>
            <div className="flex justify-end gap-2">
              {app.awaitingApproval && (
                <ActionButton
                  action={actions.approve}
                  fields={{ id: app.id }}
                  look={small}
                  done="People can authorize the app"
                >
                  Approve <span className="sr-only">{app.name}</span>
                </ActionButton>
              )}
              <ActionButton
                action={app.verifiedAt ? actions.unverify : actions.verify}
                fields={{ id: app.id }}
                look={small}
                done={app.verifiedAt ? 'Verification removed' : 'App verified'}
              >
                {app.verifiedAt ? 'Unverify' : 'Verify'} <span className="sr-only">{app.name}</span>
              </ActionButton>
              {app.disabledAt ? (
                <ActionButton action={actions.enable} fields={{ id: app.id }} look={small} done="App enabled">
                  Enable <span className="sr-only">{app.name}</span>
                </ActionButton>
              ) : (
                <ConfirmAction
                  trigger="Disable"
                  triggerLabel={`Disable ${app.name}`}
                  triggerLook={small}
                  title={`Disable ${app.name}?`}
                  confirmLabel="Disable app"
                  done="App disabled"
                  action={actions.disable}
                  fields={{ id: app.id }}
                >
                  <p>It signs nobody in any more, and its tokens fail from the next request on.</p>
                </ConfirmAction>
              )}
            </div>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
