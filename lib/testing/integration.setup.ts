import './next-globals'
import { composeEvents } from '@/lib/server/compose-events'
import { checkEveryAnswer } from './checked-fetch'
import { cloneDatabase, poolerSettings } from './database'
import { testPort } from './free-port'
import { endBackgroundWork, forgetEverything } from './fresh-process'
import { applyTestEnvironment } from './test-environment'
import './no-outside-names'
import './wait-longer'

// This file runs before each test file is imported, and therefore before the test file's code reads the
// settings. Do not await anything between the end of the previous file's work and the new settings, because
// remaining work could connect to the database in between.
const database = await cloneDatabase()
const port = await testPort()
await endBackgroundWork()
forgetEverything()
applyTestEnvironment(database, port)
Object.assign(process.env, poolerSettings(database))
checkEveryAnswer()
composeEvents()
