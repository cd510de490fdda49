import type { ReactNode } from 'react'
import type { Say } from '@/lib/base/language/say'
import type { ShownApi } from '@/lib/edges/oauth/interaction/consent-view'
import { AuthFrame } from '../frame/auth-frame'
import { AppPair, type Brand } from '../frame/brand'
import { Alert } from '../ui/alert'
import { CornerUpLeft, Laptop } from '../ui/icon'
import { Message } from '../ui/stack'
import { ConsentForm, offersSelection } from './consent-form'
import { NewProject, type NewProjectPlace } from './consent-notes'
import { ApiPermissions, PermissionList } from './permission-list'
import { AppLinks, Publisher, UserLine } from './publisher'
import { type AskablePlace, type AskedRoles, ReachPicker } from './reach-picker'
import type { ConsentApp, ConsentPermission, ConsentUser, PickerGroup } from './types'

export type ConsentCardProps = {
  say: Say
  brand: Brand
  app: ConsentApp
  user: ConsentUser
  permissions: ConsentPermission[]
  /** The registered APIs for which the app requests scopes. */
  apis?: readonly ShownApi[]
  /** The effect on earlier access, shown below the permissions. */
  earlier?: ReactNode
  /**
   * The path to which the form posts. `decision` is the value of the pressed button, such as `authorize` or
   * `deny`. Each selected ID is a value of `workspace` or `project`.
   */
  action: string
  /** Hidden inputs of the form. */
  fields?: Record<string, string>
  /** The path to which the separate "Not you?" form posts the same hidden inputs. */
  switchAccountAction: string
  /** The redirect URI's host, or its scheme if it is not a web URL; undefined if it is not a valid URL. */
  returnHost?: string | undefined
  /** Whether the redirect goes to a program on this computer through a loopback URL. */
  onThisComputer?: boolean
  /** Whether the app requests only information about the user's identity, and keeps no earlier scopes. */
  signsIn?: boolean
  /** The highest role that the app requests for each kind of resource. */
  asked: AskedRoles
  /** The workspaces to choose from; undefined if no scope requires workspaces. */
  workspaces?: PickerGroup[] | undefined
  /** The projects to choose from; undefined if no scope requires projects. */
  projects?: PickerGroup[] | undefined
  /** The workspaces in which the user can create a first project on this page. */
  places?: NewProjectPlace[]
  /** Whether the user submitted the form without a selection. */
  nothingSelected?: boolean
  /** The error for the name of a new project. */
  projectError?: string | undefined
  /** Any other error. */
  error?: string | undefined
  /**
   * The workspaces whose admins the user can ask to approve the app or to extend its approval. Users who are
   * admins can give the approval themselves.
   */
  askable?: AskablePlace[]
  /** The content about approvals, shown below the selection. */
  ask?: ReactNode
}

/**
 * Renders the consent page with the instance's branding. The frame omits the instance's logo, because the
 * card shows it next to the app's logo.
 */
export const ConsentPage = (props: ConsentCardProps) => (
  <AuthFrame brand={props.brand} say={props.say} logo={false} wide={offersSelection(props)}>
    <ConsentCard {...props} />
  </AuthFrame>
)

/** The card of the consent page. */
function ConsentCard(props: ConsentCardProps) {
  const { say, app, workspaces, projects } = props
  const missing = props.nothingSelected ? say(chooseKey(props)) : undefined
  return (
    <ConsentForm
      {...props}
      who={
        <>
          <ConsentHeading {...props} />
          <UserLine say={say} user={props.user} />
        </>
      }
    >
      {props.error && <Alert tone="danger" title={props.error} />}
      {missing && (
        <Alert tone="danger" title={say('consent.nothing')}>
          {missing}
        </Alert>
      )}
      <PermissionList say={say} app={app} permissions={props.permissions} />
      <ApiPermissions say={say} appName={app.name} apis={props.apis ?? []} />
      {props.earlier}
      {offersSelection(props) && (
        <ReachPicker
          say={say}
          appName={app.name}
          asked={props.asked}
          workspaces={workspaces}
          projects={projects}
          askable={props.askable}
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
    </ConsentForm>
  )
}

/** Returns the key of the message that asks the user to select a workspace, a project, or either. */
const chooseKey = ({ workspaces, projects }: Pick<ConsentCardProps, 'workspaces' | 'projects'>) =>
  workspaces && projects
    ? 'consent.chooseAny'
    : workspaces
      ? 'consent.chooseWorkspace'
      : 'consent.chooseProject'

/**
 * Shows the app with its description, publisher, and links, and the destination of the redirect. Also shows a
 * note about a self-registered app if the redirect goes to this computer.
 */
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
  /** Whether the redirect goes to this computer, where any program can receive the redirect. */
  onThisComputer?: boolean | undefined
  /** Whether the app requests only information about the user's identity, and keeps no earlier scopes. */
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
            <CornerUpLeft className="mt-[3px] size-4 shrink-0 rtl:-scale-x-100" />
            <span className="min-w-0">
              <Message
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
            <Laptop className="mt-[3px] size-4 shrink-0" />
            <span>{say('consent.thisComputer')}</span>
          </p>
        )}
        <AppLinks say={say} app={app} />
      </div>
    </div>
  )
}
