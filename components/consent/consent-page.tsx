import { CornerUpLeft, Laptop } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Say } from '@/lib/base/language/say'
import { AuthFrame } from '../frame/auth-frame'
import { AppPair, type Brand } from '../frame/brand'
import { Alert } from '../ui/alert'
import { Button, TextAnchor } from '../ui/button'
import { HiddenFields, Worded } from '../ui/stack'
import { NewProject, type NewProjectPlace } from './consent-notes'
import { PermissionList } from './permission-list'
import { AppLinks, NotYouForm, PersonLine, Publisher } from './publisher'
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
  <AuthFrame brand={props.brand} say={props.say} logo={false} wide={asksForReach(props)}>
    <ConsentCard {...props} />
  </AuthFrame>
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
        <div className={picks ? 'auth-consent' : 'grid gap-6'}>
          <section className={picks ? 'auth-who bg-background p-5 sm:p-7' : ''}>
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

/** Who asks, on whose behalf, and where it sends you: the first five seconds of the page. */
function ConsentHeading({
  say,
  brand,
  app,
  returnHost,
  onThisComputer = false,
  signsIn = false,
}: {
  say: Say
  brand: Brand
  app: ConsentApp
  returnHost?: string | undefined
  /** The answer goes to a program on this computer, which may be any. */
  onThisComputer?: boolean | undefined
  /** The app wants to know who the person is, and nothing else. */
  signsIn?: boolean | undefined
}) {
  return (
    <div className="grid gap-4">
      <AppPair brand={brand} app={app} />
      <h1 className="text-balance font-semibold text-xl leading-7">
        {say(signsIn ? 'consent.titleSignIn' : 'consent.title', {
          app: app.name,
          service: brand.serviceName,
        })}
      </h1>
      {app.profile.description && (
        <p className="wrap-anywhere text-pretty text-[15px] leading-[22px]">
          <bdi>{app.profile.description}</bdi>
        </p>
      )}
      <div className="grid gap-2.5 text-[15px] text-muted leading-[22px]">
        <Publisher say={say} app={app} />
        {returnHost && (
          <p className="flex items-start gap-2.5">
            <CornerUpLeft aria-hidden className="mt-[3px] size-4 shrink-0 rtl:-scale-x-100" />
            <span className="min-w-0">
              <Worded
                of={say.parts('consent.returns', {
                  host: returnHost,
                  b: (text) => (
                    <b dir="ltr" className="wrap-anywhere font-medium text-text">
                      {text}
                    </b>
                  ),
                })}
              />
            </span>
          </p>
        )}
        {onThisComputer && !app.workspaceName && (
          <p className="flex items-start gap-2.5">
            <Laptop aria-hidden className="mt-[3px] size-4 shrink-0" />
            <span>{say('consent.thisComputer')}</span>
          </p>
        )}
        <AppLinks say={say} app={app} />
      </div>
    </div>
  )
}

/**
 * The decision: Authorize, and Deny after it, in the order in which the Tab key and the eye meet them. Beside choices it
 * stays in sight and sums them up, as far as a script runs. `stuck`: there is nothing that could be authorized.
 */
function DecisionBar({ say, picks, stuck }: { say: Say; picks: boolean; stuck: boolean }) {
  const buttons = (
    <>
      <Button
        type="submit"
        name="decision"
        value="authorize"
        variant="primary"
        size="large"
        disabled={stuck}
        className={picks ? 'min-w-36 max-sm:flex-1' : 'w-full'}
      >
        {say('consent.authorize')}
      </Button>
      <Button
        type="submit"
        name="decision"
        value="deny"
        variant="quiet"
        size="large"
        formNoValidate
        className={picks ? '' : 'w-full'}
      >
        {say('consent.deny')}
      </Button>
    </>
  )
  if (!picks) return <div className="mt-6 grid gap-2">{buttons}</div>
  return (
    <div className="auth-decision flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t bg-surface px-5 py-3 sm:px-7">
      <p
        data-reach-sum
        // /reach.js may have said it before React wakes up, where Next draws the page.
        suppressHydrationWarning
        data-none={say(stuck ? 'consent.stuck' : 'consent.noneYet')}
        className="min-h-5 min-w-0 flex-1 basis-60 text-sm text-muted leading-5 max-sm:hidden"
      >
        {stuck ? say('consent.stuck') : ' '}
      </p>
      {buttons}
    </div>
  )
}
