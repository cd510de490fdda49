import type { LoadServer } from '@/lib/server/run-production'
import { defineCommand } from './frame/command'

/** @param loadServer loads the server with its pages, which stand beside the commands */
export const serveCommand = (loadServer: LoadServer) =>
  defineCommand({
    name: 'serve',
    summary: 'run the server, as a container does',
    about:
      'It takes DATABASE_URL and SECRET_KEY, applies missing migrations unless MIGRATE=0, and stops in order on SIGTERM. A clone is started by `npm start`.',
    needs: 'nothing',
    run: async ({ root }) => {
      const { runProduction } = await import('@/lib/server/run-production')
      await runProduction(root, loadServer)
      return undefined
    },
  })
