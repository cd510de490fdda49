import type { Loaders } from '@/lib/server/run-production'
import { defineCommand } from './frame/command'

/** @param loaders load the server with its pages, and the demo */
export const serveCommand = (loaders: Loaders) =>
  defineCommand({
    name: 'serve',
    summary: 'run the server, as a container does',
    about:
      'It takes DATABASE_URL and SECRET_KEY, applies missing migrations unless MIGRATE=0, and stops in order on SIGTERM. A clone is started by `npm start`.',
    needs: 'nothing',
    run: async ({ root }) => {
      const { runProduction } = await import('@/lib/server/run-production')
      await runProduction(root, loaders)
      return undefined
    },
  })
