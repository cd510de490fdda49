import type { DoorPage } from '@/app/door/door-page'
import { docsNavigation } from '@/lib/features/docs/navigation'

/** The pages of the docs by their addresses, as their folders below app/ are called. */
const docsRoutes = [
  ...docsNavigation.flatMap(({ pages }) => pages.map(({ href }) => href)),
  ...['/docs/search', '/docs/graphql/[type]', '/docs/reference/[noun]'],
]

/** One of them. Texts, colours and the reference are loaded when somebody opens the first. See decision 206. */
const docsDoor = (route: string): DoorPage => ({
  show: async (visit) => (await import('./draw-docs')).drawDocs(route, visit),
})

/** The docs as our own server draws them, without Next. */
export const docsDoors: Record<string, DoorPage> = Object.fromEntries(
  docsRoutes.map((route) => [route, docsDoor(route)]),
)
