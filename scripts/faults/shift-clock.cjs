// For `node --require`: what JavaScript takes for the time is so many seconds off. Timers and performance.now() are as they were.
const ms = Number(process.env.FAULTS_CLOCK_SECONDS) * 1000
const Right = Date
const now = () => Right.now() + ms

globalThis.Date = new Proxy(Right, {
  construct: (target, args, by) => Reflect.construct(target, args.length === 0 ? [now()] : args, by),
  apply: () => new Right(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
