/** What an installed app may do with each scope that it can have, in words. */
export const installSentences: Record<string, string> = {
  'workspace:member': 'Read and write the workspace and its projects, and read the names of its members',
  'workspace:viewer': 'Read the workspace, its projects and the names of its members',
  'project:member': 'Read and write the projects',
  'project:viewer': 'Read the projects',
}
