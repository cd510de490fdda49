import './next-globals'
import { composeEvents } from '@/lib/server/compose-events'
import { checkEveryAnswer } from './checked-fetch'
import { cloneDatabase, poolerSettings } from './database'
import { testPort } from './free-port'
import { endBackgroundWork, forgetEverything } from './fresh-process'
import { applyTestEnvironment } from './test-environment'
import './no-outside-names'
import './wait-longer'

// This file runs before each test file is imported, and therefore before the test file's code reads the settings. Do not
// await anything between the end of the previous file's work and the new settings, because remaining work could connect to
// the database in between. Vitest sets BASE_URL to "/" before each file. Restore the previous file's value, because "/" would
// break that file's remaining work.
const former = globalThis as { latchkeyTestBaseUrl?: string }
if (former.latchkeyTestBaseUrl) process.env.BASE_URL = former.latchkeyTestBaseUrl
const database = await cloneDatabase()
const port = await testPort()
await endBackgroundWork()
forgetEverything()
applyTestEnvironment(database, port)
former.latchkeyTestBaseUrl = process.env.BASE_URL
Object.assign(process.env, poolerSettings(database))
checkEveryAnswer()
composeEvents()
