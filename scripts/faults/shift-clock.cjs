// For `node --require`: shifts the clock of JavaScript by a number of seconds. Timers and performance.now()
// are unchanged.
const ms = Number(process.env.FAULTS_CLOCK_SECONDS) * 1000
const Right = Date
const now = () => Right.now() + ms

globalThis.Date = new Proxy(Right, {
  construct: (target, args, by) => Reflect.construct(target, args.length === 0 ? [now()] : args, by),
  apply: () => new Right(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
