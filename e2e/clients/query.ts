/**
 * Sends a query to `POST /graphql/v2`. @throws Error with the first error's message if the response contains
 * errors
 */
export async function query<T>(baseURL: string | undefined, accessToken: string, text: string): Promise<T> {
  const response = await fetch(new URL('/graphql/v2', baseURL), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query: text }),
  })
  const answer = (await response.json()) as { data: T; errors?: { message: string }[] }
  if (answer.errors) throw new Error(answer.errors[0]?.message)
  return answer.data
}

export type Projects = { projects: { edges: { node: { name: string } }[] } }

export const projectNames = ({ projects }: Projects): string[] => projects.edges.map(({ node }) => node.name)
