import { type RunningServer, startServer as start } from '@/lib/server/start-server'
import { answerDoor } from './door/answer-door'

/** The product's own server (lib/server/start-server), with the pages at the door drawn by answerDoor. */
export const startServer = (dir: string): Promise<RunningServer> => start(dir, answerDoor)
