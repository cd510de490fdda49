import type { Step } from './get-started'

/** What makes a new workspace one that people sign in through. @param home the workspace's address */
export const firstSteps = (
  { members, apps, projects }: { members: number; apps: number; projects: number },
  home: string,
): Step[] => [
  {
    title: 'Create your workspace',
    text: 'Projects, people and apps live here.',
    done: true,
    href: home,
    button: 'Open',
  },
  {
    title: 'Create a project',
    text: 'Apps and tokens get access project by project.',
    done: projects > 0,
    href: `${home}/projects/new`,
    button: 'New project',
  },
  {
    title: 'Register an OAuth app',
    text: 'Get a client ID and try a sign-in, in about two minutes.',
    done: apps > 0,
    href: `${home}/settings/developer/new`,
    button: 'New OAuth App',
  },
  {
    title: 'Invite your team',
    text: 'Admins manage the workspace; the others work in its projects.',
    done: members > 1,
    href: `${home}/members`,
    button: 'Invite people',
  },
]
