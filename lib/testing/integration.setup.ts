import './next-globals'
import { composeEvents } from '@/lib/server/compose-events'
import { checkEveryAnswer } from './checked-fetch'
import { cloneDatabase, throughPooler } from './database'
import { testPort } from './free-port'
import { endEverything, forgetEverything } from './fresh-process'
import { applyTestEnvironment } from './test-environment'
import './no-outside-names'
import './wait-longer'

// Runs before each test file is imported, so before anything can read the settings.
await endEverything()
forgetEverything()
const database = await cloneDatabase()
applyTestEnvironment(database, await testPort())
Object.assign(process.env, throughPooler(database))
checkEveryAnswer()
composeEvents()
