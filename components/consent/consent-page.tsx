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
import { AppLinks, NotYouForm, Publisher, UserLine } from './publisher'
import { type Asked, ReachPicker } from './reach-picker'
import type { ConsentApp, ConsentPermission, ConsentUser, PickerGroup } from './types'

export type ConsentCardProps = {
  say: Say
  brand: Brand
  app: ConsentApp
  user: ConsentUser
  permissions: ConsentPermission[]
  /** The effect on earlier access, shown below the permissions. */
  earlier?: ReactNode
  /** The path of the form: `decision` is `authorize` or `deny`, `workspace` and `project` are repeated IDs. */
  action: string
  /** Hidden inputs of the form. */
  fields?: Record<string, string>
  /** The path of the separate form "Not you?", with the same hidden inputs. */
  switchAccountAction: string
  /** The redirect URI's host; absent for a device, which has none. */
  returnHost?: string | undefined
  /** Whether the redirect goes to a program on this computer. */
  onThisComputer?: boolean
  /** Whether the app only requests the identity of the user. */
  signsIn?: boolean
  /** The role that the app requests for each kind of resource. */
  asked: Asked
  /** Present if a scope requires them. */
  workspaces?: PickerGroup[] | undefined
  projects?: PickerGroup[] | undefined
  /** The workspaces in which a user without a project can create one here. */
  places?: NewProjectPlace[]
  /** Whether the user submitted the form without a selection. */
  nothingSelected?: boolean
  /** The error in the name of a new project. */
  projectError?: string | undefined
  /** Any other error. */
  error?: string | undefined
  /** The form that asks an admin to approve the app. */
  ask?: ReactNode
}

/** Returns whether the user can select or create a resource. */
const asksForReach = ({ workspaces, projects }: Pick<ConsentCardProps, 'workspaces' | 'projects'>) =>
  Boolean(workspaces ?? projects)

/** Renders the consent page with the branding of the service, which the card shows next to the app's. */
export const ConsentPage = (props: ConsentCardProps) => (
  <AuthFrame brand={props.brand} say={props.say} logo={false} wide={asksForReach(props)}>
    <ConsentCard {...props} />
  </AuthFrame>
)

/** The card of the consent page: one plain form that needs no JavaScript. */
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
              <UserLine say={say} user={props.user} />
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

/** Returns the message key for the missing selection. */
const chooseKey = ({ workspaces, projects }: Pick<ConsentCardProps, 'workspaces' | 'projects'>) =>
  workspaces && projects
    ? 'consent.chooseAny'
    : workspaces
      ? 'consent.chooseWorkspace'
      : 'consent.chooseProject'

/**
 * Shows what the app never sees and where to change its access. The link opens a new tab, so that the page keeps the
 * selection.
 */
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

/** Shows the app, the user's account, and the destination of the redirect. */
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
  /** Whether the redirect goes to a program on this computer, which can be any program. */
  onThisComputer?: boolean | undefined
  /** Whether the app only requests the identity of the user. */
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
 * The buttons Authorize and Deny, in Tab order. With a selection, the bar stays visible and summarizes it if scripts
 * run. `stuck`: there is nothing to authorize.
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
        // If Next renders the page, /reach.js might write this before React hydrates.
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
