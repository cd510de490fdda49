import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Browser } from '@playwright/test'
import { configure, type Plan, plans } from './plans'
import { startTestedProduct, type TestedProduct } from './product'
import { type PlanResult, printResults, resultsPage } from './report'
import { type ModuleResult, type PlannedModule, Suite } from './suite'
import { type Seen, startBrowser, User } from './user'

const usage = `npm run test:conformance -- --suite <url> [options]

Runs the OpenID Foundation’s conformance suite against this product. The suite must be running and must reach this machine.
If the suite’s certificate is self-signed, set NODE_EXTRA_CA_CERTS to that certificate.

  --suite <url>     address of the suite, such as https://localhost:8443
  --plans <names>   plans to run, separated by commas. Default: ${plans.map(({ name }) => name).join(',')}
  --modules <text>  only modules whose name contains this text
  --resume          only modules without a result at this commit, and those that failed
  --write           write the results to docs/security/conformance-results.md

Every result is recorded as soon as the module ends. Ctrl+C stops after the modules that are running.`

const resultsFile = 'test-results/conformance.json'
const page = 'docs/security/conformance-results.md'

/**
 * The time limit of a module in milliseconds. The slowest modules wait until codes and request URIs expire.
 */
const longestMs = 8 * 60_000

/** Matches the names of modules that require a screenshot of the app on the consent page. */
const showsApp = /registration-(logo|policy|tos)-uri/

/** Matches the names of modules in which the user must deny the request. */
const denies = /user-rejects-authentication/

/** Matches the names of modules during which the signing keys change. */
const rotatesKeys = /rotate-keys$/

/** Matches the names of modules that require a screenshot of the second sign-in. */
const signsInAgain = /prompt-login|max-age-1$/

/** Matches the names of modules in which the user only views the sign-in page on the first visit. */
const leavesFirst = /prior-to-auth-completion-succeeds$/

/** The maximum number of runs of a module that hits a rate limit. */
const mostRuns = 3

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string' },
      plans: { type: 'string' },
      modules: { type: 'string', default: '' },
      resume: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const names = values.plans?.split(',') ?? plans.map(({ name }) => name)
  const unknown = names.find((name) => !plans.some((plan) => plan.name === name))
  if (!values.suite || unknown !== undefined) {
    console.error(unknown === undefined ? usage : `There is no plan ${unknown}.\n\n${usage}`)
    return 2
  }
  const suite = new Suite(values.suite)
  const about = { suite: await suite.version(), commit: commit() }
  const product = await startTestedProduct()
  const browser = await startBrowser()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopping = true
    })
  }
  try {
    const chosen = plans.filter(({ name }) => names.includes(name))
    const run = { suite, product, browser, about, only: values.modules, resume: values.resume }
    const prepared = await Promise.all(chosen.map((plan) => preparePlan(plan, run)))
    // Run the plans in parallel, because their modules mostly wait. Run the modules that rotate keys last,
    // because new keys would disturb other modules.
    await Promise.all(prepared.map((plan) => runModules(plan, run, (name) => !rotatesKeys.test(name))))
    for (const plan of prepared) await runModules(plan, run, (name) => rotatesKeys.test(name))
  } finally {
    await browser.close()
    await product.stop()
  }
  const results = recorded()
  console.log(printResults(results))
  if (values.write) fs.writeFileSync(page, resultsPage(results))
  const ran = results.filter(({ name }) => names.includes(name))
  return ran.some(({ modules }) => modules.some(({ result }) => result === 'FAILED')) ? 1 : 0
}

let stopping = false

type Run = {
  suite: Suite
  product: TestedProduct
  browser: Browser
  about: { suite: string; commit: string }
  only: string
  resume: boolean
}

type PreparedPlan = { plan: Plan; id: string; modules: PlannedModule[] }

/**
 * Creates a plan in the suite and records its number of modules. Keeps the recorded results of the plan if
 * they are from the same commit and version of the suite.
 * @returns the plan with the modules that the options select
 */
async function preparePlan(plan: Plan, run: Run): Promise<PreparedPlan> {
  const { suite, product, about, only, resume } = run
  const { id, modules } = await suite.createPlan(
    plan.plan,
    plan.variant,
    await configure(plan, suite, product),
  )
  const { name, title } = plan
  const known = recorded().find((each) => each.name === name)
  const kept = known?.commit === about.commit && known.suite === about.suite ? known.modules : []
  record({ name, title, ...about, planned: modules.length, modules: kept })
  const settled = resume ? kept.filter(({ result }) => result !== 'FAILED').map(({ module }) => module) : []
  const chosen = modules.filter(
    ({ testModule }) => testModule.includes(only) && !settled.includes(testModule),
  )
  return { plan, id, modules: chosen }
}

/**
 * Runs the modules of a plan whose names match, one after another, until a signal stops the run. Records each
 * result.
 */
async function runModules(
  { plan, id, modules }: PreparedPlan,
  run: Run,
  matches: (name: string) => boolean,
): Promise<void> {
  for (const module of modules.filter(({ testModule }) => matches(testModule))) {
    if (stopping) return
    const result = await runWithinLimits(id, module, run)
    console.log(`${plan.name} ${result.module}: ${result.result} ${result.conditions[0] ?? ''}`)
    const known = recorded().find(({ name }) => name === plan.name)
    if (!known) continue
    const others = known.modules.filter(({ module: name }) => name !== result.module)
    record({ ...known, modules: [...others, result] })
  }
}

/**
 * Runs a module. If it failed after a 429 response from the product, waits for the time in Retry-After and
 * runs the module again, unless it has already run `mostRuns` times or a signal stops the run.
 */
async function runWithinLimits(plan: string, planned: PlannedModule, run: Run): Promise<ModuleResult> {
  for (let runs = 1; ; runs++) {
    const id = await runModule(plan, planned, run)
    const result = await run.suite.result(id, planned.testModule)
    const wait = result.result === 'FAILED' ? await run.suite.retryAfter(id) : undefined
    if (wait === undefined || runs === mostRuns || stopping) return result
    console.log(`${planned.testModule}: rate limit, next run in ${wait} s`)
    await sleep(wait * 1_000)
  }
}

/**
 * Runs a module with its own browser profile until the module ends or reaches its time limit. Prints an error
 * instead of throwing it.
 * @returns the module's ID
 */
async function runModule(
  plan: string,
  planned: PlannedModule,
  { suite, product, browser }: Run,
): Promise<string> {
  const module = await suite.createModule(plan, planned)
  const user = await User.open(
    browser,
    product.account,
    suite.base,
    denies.test(planned.testModule) ? 'deny' : 'authorize',
  )
  const until = Date.now() + longestMs
  try {
    let started = false
    let visits = 0
    while (Date.now() < until) {
      const { status, open } = await suite.progress(module)
      if (status === 'FINISHED' || status === 'INTERRUPTED') break
      // Most modules leave this state by themselves. A module that rotates keys waits until the keys were
      // rotated and the runner sends a start request.
      if (status === 'CONFIGURED' && !started && rotatesKeys.test(planned.testModule)) {
        started = true
        await product.rotateKeys()
        await suite.start(module)
      }
      const [next] = open
      if (next) {
        // Read the list before the visit, because an image that the suite requests during this visit must
        // show the next visit.
        const wanted = await suite.missingImages(module)
        await suite.visited(module, next.url)
        const looksOnly = leavesFirst.test(planned.testModule) && visits++ === 0
        const seen = await user.visit(next.url, next.method, looksOnly)
        await upload(suite, module, planned.testModule, seen, wanted)
      } else await sleep(500)
    }
  } catch (error) {
    console.error(`${planned.testModule}: ${(error as Error).message}`, (error as Error).cause ?? '')
  } finally {
    await user.close()
  }
  return module
}

/**
 * Uploads a screenshot of a visit for each image that the suite requested before the visit and still needs
 * after it.
 */
async function upload(
  suite: Suite,
  module: string,
  name: string,
  seen: Seen,
  wanted: readonly string[],
): Promise<void> {
  const shown = showsApp.test(name) ? seen.consent : signsInAgain.test(name) ? seen.signIn : seen.last
  const image = shown ?? seen.last
  for (const placeholder of await suite.missingImages(module)) {
    if (image && wanted.includes(placeholder)) await suite.uploadImage(module, placeholder, image)
  }
}

/**
 * The paths of files that can affect the results. Scripts, documents, and test helpers cannot affect them.
 */
const productPaths = ['app', 'components', 'lib', 'prisma', 'server.ts', 'package-lock.json', ':!lib/testing']

const git = (...args: string[]) =>
  execFileSync('git', [...args, '--', ...productPaths], { encoding: 'utf8' }).trim()

/** Returns the last commit that changed the product, with `-dirty` if the product has uncommitted changes. */
const commit = () =>
  `${git('log', '-1', '--format=%h')}${git('status', '--porcelain') === '' ? '' : '-dirty'}`

const recorded = (): PlanResult[] =>
  fs.existsSync(resultsFile) ? JSON.parse(fs.readFileSync(resultsFile, 'utf8')) : []

/** Replaces a plan's results in the results file, which lists results in the order of the plans. */
function record(result: PlanResult): void {
  const results = [...recorded().filter(({ name }) => name !== result.name), result]
  const order = plans.map(({ name }) => name)
  results.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  fs.mkdirSync('test-results', { recursive: true })
  fs.writeFileSync(resultsFile, JSON.stringify(results, null, 2))
}

process.exitCode = await main()
