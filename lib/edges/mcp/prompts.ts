import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'

/** A task that a person picks from a menu of their client. Its words are sent as theirs, so they lead to tools and promise nothing. */
type Task = Prompt & { words: (given: Record<string, string>) => string }

const tasks: Task[] = [
  {
    name: 'explain_failing_sign_in',
    title: 'Why does my app’s sign-in fail?',
    description: 'Reads the last refusals of an OAuth app and says what to change.',
    arguments: [{ name: 'app', description: 'The name of the OAuth app.', required: true }],
    words: ({ app }) =>
      `Find the OAuth app called ${quoted(app)} with search, and read its last refusals with explain_oauth_app. Tell me for each kind of refusal what the app sent, why it was refused and what to change, in the app or in its settings here. Change nothing before I agree.`,
  },
  {
    name: 'review_access',
    title: 'Who and what has access?',
    description: 'Goes through the people, tokens, invitations and apps of a workspace.',
    arguments: [{ name: 'workspace', description: 'The name of the workspace.', required: true }],
    words: ({ workspace }) =>
      `Find the workspace called ${quoted(workspace)} with search. List its members with their roles, its open invitations, its API tokens and its OAuth apps, page by page. Then tell me what is unused for three months, ends within a month, never ends, or can do more than it seems to need. Change nothing before I agree.`,
  },
  {
    name: 'compare_environments',
    title: 'What differs between two environments?',
    description: 'Compares the names of the variables of two environments of a project.',
    arguments: [
      { name: 'project', description: 'The name of the project.', required: true },
      { name: 'first', description: 'One environment, such as staging.', required: true },
      { name: 'second', description: 'The other, such as production.', required: true },
    ],
    words: ({ project, first, second }) =>
      `Find the environments ${quoted(first)} and ${quoted(second)} of the project ${quoted(project)} with search, and list the names of their variables with list_variables. Tell me which names only one of them has. Read no values.`,
  },
]

/** What a person typed, as a name and nothing more. */
const quoted = (given = ''): string => JSON.stringify(given)

/** As `prompts/list` tells them. */
export const listPrompts = (): Prompt[] => tasks.map(({ words: _, ...prompt }) => prompt)

/** The words of a prompt. @throws ProtocolError where there is none of that name, or an argument is missing */
export function getPrompt(name: string, given: Record<string, string> = {}): GetPromptResult {
  const task = tasks.find((each) => each.name === name)
  if (!task) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt named ${name}.`)
  const missing = task.arguments?.find((each) => each.required && !given[each.name])
  if (missing) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${name} takes ${missing.name}.`)
  return {
    description: task.description,
    messages: [{ role: 'user', content: { type: 'text', text: task.words(given) } }],
  }
}
