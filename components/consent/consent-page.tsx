import type { ReactNode } from 'react'
import type { Say } from '@/lib/base/language/say'
import type { Brand } from '../frame/brand'
import { DoorFrame } from '../frame/door-frame'
import { Alert } from '../ui/alert'
import { HiddenFields } from '../ui/hidden-fields'
import { TextAnchor } from '../ui/text-anchor'
import { Worded } from '../ui/worded'
import { ConsentHeading } from './consent-heading'
import { DecisionBar } from './decision-bar'
import { NewProject, type NewProjectPlace } from './new-project'
import { PermissionList } from './permission-list'
import { NotYouForm, PersonLine } from './person-line'
import { type Asked, ReachPicker } from './reach-picker'
import type { ConsentApp, ConsentPermission, ConsentPerson, PickerGroup } from './types'

export type ConsentCardProps = {
  say: Say
  brand: Brand
  app: ConsentApp
  person: ConsentPerson
  permissions: ConsentPermission[]
  /** What becomes of what was allowed before, shown below the permissions. */
  earlier?: ReactNode
  /** Where the form posts: `decision` is `authorize` or `deny`, `workspace` and `project` are ids, repeated. */
  action: string
  /** Hidden inputs of the form. */
  fields?: Record<string, string>
  /** "Not you?" posts here (a form of its own), with the same hidden inputs. */
  switchAccountAction: string
  /** The redirect URI's host; absent for a device, which has none. */
  returnHost?: string | undefined
  /** The answer goes to a program on this computer. */
  onThisComputer?: boolean
  /** The app wants to know who the person is, and nothing else. */
  signsIn?: boolean
  /** What the app asks for of each kind. */
  asked: Asked
  /** Present when a scope asks for them. */
  workspaces?: PickerGroup[] | undefined
  projects?: PickerGroup[] | undefined
  /** Where somebody without a project can make one right here. */
  places?: NewProjectPlace[]
  /** Set when the form came back with nothing selected. */
  nothingSelected?: boolean
  /** What was wrong with the name of a new project. */
  projectError?: string | undefined
  /** Anything else that was refused. */
  error?: string | undefined
  /** Asks an admin to let the app in. */
  ask?: ReactNode
}

/** Whether there is anything to choose from, or something to make. */
const asksForReach = ({ workspaces, projects }: Pick<ConsentCardProps, 'workspaces' | 'projects'>) =>
  Boolean(workspaces ?? projects)

/** The page on which a person decides about an app, in the look of the service, which the card shows beside the app's. */
export const ConsentPage = (props: ConsentCardProps) => (
  <DoorFrame brand={props.brand} say={props.say} logo={false} wide={asksForReach(props)}>
    <ConsentCard {...props} />
  </DoorFrame>
)

/** The card of it: one plain form that needs no JavaScript. */
function ConsentCard(props: ConsentCardProps) {
  const { say, app, action, fields, workspaces, projects } = props
  const picks = asksForReach(props)
  const open = [workspaces, projects].some((groups) =>
    groups?.some(({ options }) => options.some(({ closed }) => !closed)),
  )
  const missing = props.nothingSelected ? say(chooseKey(props)) : undefined
  return (
    <>
      <NotYouForm action={props.switchAccountAction} fields={fields} />
      <form method="post" action={action}>
        <HiddenFields fields={fields} />
        <div className={picks ? 'door-consent' : 'grid gap-6'}>
          <section className={picks ? 'door-who bg-background p-5 sm:p-7' : ''}>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
              <ConsentHeading {...props} />
              <PersonLine say={say} person={props.person} />
              {picks && <Assurance say={say} app={app} />}
            </div>
          </section>
          <section
            className={`grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-7 ${picks ? 'p-5 sm:p-7' : ''}`}
          >
            {props.error && <Alert tone="danger" title={props.error} />}
            {missing && (
              <Alert tone="danger" title={say('consent.nothing')}>
                {missing}
              </Alert>
            )}
            <PermissionList say={say} app={app} permissions={props.permissions} />
            {props.earlier}
            {picks && (
              <ReachPicker
                say={say}
                appName={app.name}
                asked={props.asked}
                workspaces={workspaces}
                projects={projects}
                error={missing}
                empty={
                  <NewProject
                    say={say}
                    appName={app.name}
                    wants={projects ? 'project' : 'workspace'}
                    places={props.places ?? []}
                    error={props.projectError}
                  />
                }
              />
            )}
            {props.ask}
            {!picks && <Assurance say={say} app={app} />}
          </section>
        </div>
        <DecisionBar say={say} picks={picks} stuck={picks && !open} />
      </form>
    </>
  )
}

/** What is missing: one of what the app asks for. */
const chooseKey = ({ workspaces, projects }: Pick<ConsentCardProps, 'workspaces' | 'projects'>) =>
  workspaces && projects
    ? 'consent.chooseAny'
    : workspaces
      ? 'consent.chooseWorkspace'
      : 'consent.chooseProject'

/** What the app never sees, and where its access is changed; it opens beside the page, which keeps what was chosen. */
const Assurance = ({ say, app }: { say: Say; app: ConsentApp }) => (
  <p className="text-[13px] text-muted leading-5">
    <Worded
      of={say.parts('consent.promise', {
        app: app.name,
        link: (text) => (
          <TextAnchor href="/account/apps" target="_blank">
            {text}
          </TextAnchor>
        ),
      })}
    />
  </p>
)
