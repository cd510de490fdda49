import type { ReactNode } from 'react'
import type { Say } from '@/lib/base/language/say'
import { Button, TextAnchor } from '../ui/button'
import { HiddenFields, Message } from '../ui/stack'
import { SwitchAccountForm } from './publisher'
import type { ConsentApp, PickerGroup } from './types'

type Selectable = {
  /** The workspaces to choose from; undefined if no scope requires workspaces. */
  workspaces?: PickerGroup[] | undefined
  /** The projects to choose from; undefined if no scope requires projects. */
  projects?: PickerGroup[] | undefined
}

/** Returns whether a scope requires a selection, even if the user has nothing to select. */
export const offersSelection = ({ workspaces, projects }: Selectable) => Boolean(workspaces ?? projects)

/**
 * The form of the consent and device pages, which requires no JavaScript. If a scope requires a selection,
 * the app is shown in a separate pane, and the decision buttons stay visible. If no scope requires a
 * selection, everything is in one narrow column.
 */
export function ConsentForm({
  say,
  app,
  action,
  fields,
  switchAccountAction,
  switchAccountFields = fields,
  workspaces,
  projects,
  who,
  children,
}: Selectable & {
  say: Say
  app: ConsentApp
  /**
   * The path to which the form posts. `decision` is the value of the pressed button, such as `authorize` or
   * `deny`. Each selected ID is a value of `workspace` or `project`.
   */
  action: string
  /** Hidden inputs of the form. */
  fields?: Record<string, string> | undefined
  /** The path to which the separate "Not you?" form posts. */
  switchAccountAction: string
  switchAccountFields?: Record<string, string> | undefined
  /** The content that shows the app and the user. */
  who: ReactNode
  /** The content that shows the permissions and the selection. */
  children: ReactNode
}) {
  const picks = offersSelection({ workspaces, projects })
  const open = [workspaces, projects].some((groups) =>
    groups?.some(({ options }) => options.some(({ closed }) => !closed)),
  )
  return (
    <>
      <SwitchAccountForm action={switchAccountAction} fields={switchAccountFields} />
      <form method="post" action={action}>
        <HiddenFields fields={fields} />
        {/* The Enter key presses the first button of a form. Without this button, Enter could request a workspace's
            approval. */}
        {open && (
          <button
            type="submit"
            name="decision"
            value="authorize"
            tabIndex={-1}
            aria-hidden
            className="sr-only"
          />
        )}
        <div className={picks ? 'auth-consent' : 'grid gap-6'}>
          <section className={picks ? 'auth-who bg-background p-5 sm:p-7' : ''}>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
              {who}
              {picks && <Assurance say={say} app={app} />}
            </div>
          </section>
          <section
            className={`grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-7 ${picks ? 'p-5 sm:p-7' : ''}`}
          >
            {children}
            {!picks && <Assurance say={say} app={app} />}
          </section>
        </div>
        <DecisionBar say={say} picks={picks} stuck={picks && !open} />
      </form>
    </>
  )
}

/**
 * Shows which data the app never receives and where the user can change the app's access. The link opens a
 * new tab, so that the page keeps the selection.
 */
const Assurance = ({ say, app }: { say: Say; app: ConsentApp }) => (
  <p className="text-[13px] text-muted leading-5">
    <Message
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

/**
 * The buttons Authorize and Deny. If a scope requires a selection (`picks`), they are in a bar that stays
 * visible and, with JavaScript, summarizes the selection. `stuck`: whether there is nothing that the user can
 * select. If so, Authorize is disabled.
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
        // If Next renders the page, /reach.js might change this text before React hydrates the page. React
        // would then report a mismatch.
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
