import './next-globals'
import { composeEvents } from '@/lib/server/compose-events'
import { checkEveryAnswer } from './checked-fetch'
import { cloneDatabase, throughPooler } from './database'
import { testPort } from './free-port'
import { endEverything, forgetEverything } from './fresh-process'
import { applyTestEnvironment } from './test-environment'
import './no-outside-names'
import './wait-longer'

// Runs before each test file is imported, so before any code reads the settings. Nothing is awaited between
// the end of the previous file's work and the new settings, because its remaining work could connect in
// between.
const database = await cloneDatabase()
const port = await testPort()
await endEverything()
forgetEverything()
applyTestEnvironment(database, port)
Object.assign(process.env, throughPooler(database))
checkEveryAnswer()
composeEvents()
