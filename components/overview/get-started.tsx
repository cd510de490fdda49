import type { ReactNode } from 'react'
import { GoButton } from '../forms/creation-form'
import { Alert } from '../ui/alert'
import { CircleCheck } from '../ui/icon'

export type Step = { title: string; text: ReactNode; done: boolean; href: string; button: string }

/**
 * Lists the first steps in a new workspace, with their status and a button for each step that is not done.
 */
export function GetStarted({ steps }: { steps: readonly Step[] }) {
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done)
  return (
    <section aria-labelledby="get-started" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="get-started" className="font-semibold text-[15px] leading-[22px]">
          Get started
        </h2>
        <span className="text-[13px] text-muted">
          {done} of {steps.length} done
        </span>
      </div>
      <div aria-hidden className="h-1 overflow-clip rounded-full bg-selected">
        <div
          className="h-full rounded-full bg-success-dot"
          style={{ width: `${(done / steps.length) * 100}%` }}
        />
      </div>
      <ol className="overflow-clip rounded-card border bg-surface">
        {steps.map((step) => (
          <li
            key={step.title}
            className="flex min-h-14 items-center gap-3 border-b px-4 py-2.5 last:border-b-0 max-sm:flex-wrap"
          >
            {step.done ? (
              <CircleCheck label="Done" className="size-[18px] shrink-0 text-success" />
            ) : (
              <span aria-hidden className="size-[18px] shrink-0 rounded-full border-[1.5px] border-control" />
            )}
            <span className="grid min-w-0 flex-1 max-sm:basis-[calc(100%-48px)]">
              <span className={step.done ? 'text-muted' : 'font-medium'}>{step.title}</span>
              <span className="text-[13px] text-muted">{step.text}</span>
            </span>
            {!step.done && (
              <span className="max-sm:ml-[30px]">
                <GoButton
                  href={step.href}
                  look={{ size: 'small', variant: step === next ? 'primary' : 'secondary' }}
                >
                  {step.button}
                </GoButton>
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/**
 * Returns the first steps, from creating the workspace to inviting the team. @param home the workspace's URL
 */
export const firstSteps = (
  { members, apps, projects }: { members: number; apps: number; projects: number },
  home: string,
): Step[] => [
  {
    title: 'Create your workspace',
    text: 'Contains your projects, members, and apps.',
    done: true,
    href: home,
    button: 'Open',
  },
  {
    title: 'Create a project',
    text: 'You can give apps and tokens access to individual projects.',
    done: projects > 0,
    href: `${home}/projects/new`,
    button: 'New project',
  },
  {
    title: 'Register an OAuth app',
    text: 'Get a client ID and sign in. This takes about two minutes.',
    done: apps > 0,
    href: `${home}/settings/developer/new`,
    button: 'New OAuth App',
  },
  {
    title: 'Invite your team',
    text: 'Admins manage the workspace. Everyone else works in projects.',
    done: members > 1,
    href: `${home}/members/invite`,
    button: 'Invite people',
  },
]

/** A notice that the workspace is demo data. */
export const DemoNote = () => (
  <Alert tone="info" title="This workspace is demo data">
    This workspace contains sample users, apps, and history. An instance admin can remove it with{' '}
    <code className="font-mono text-[13px]">latchkey remove-demo</code>.
  </Alert>
)
