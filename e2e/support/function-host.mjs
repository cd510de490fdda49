// Runs one function of a build, as a serverless platform does, in a folder that contains the function's
// traced files and this file: `node function-host.mjs <page>`. The function is frozen after it has responded
// to all requests and all work passed to waitUntil has ended. The parent process resumes it for the next
// request.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
require('next/setup-node-env')
const { handler } = require(`./.next/server/app/${process.argv[2]}.js`)

let underWay = 0
let done = 0
const server = createServer(async (req, res) => {
  underWay++
  const kept = []
  const closed = new Promise((resolve) => res.once('close', resolve))
  await handler(req, res, {
    waitUntil: (work) => kept.push(work),
    requestMeta: { minimalMode: true },
  })
  await closed
  for (const work of kept) await work
  underWay--
  done++
  if (underWay > 0) return
  process.send({ frozenAfter: done }, () => {
    if (underWay === 0) process.kill(process.pid, 'SIGSTOP')
  })
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send({ frozenAfter: 0 }))
