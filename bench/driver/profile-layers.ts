import type { CpuProfile } from '../machine/profiler'
import { type Frame, fileOf, idle, partOf, shareBy } from './profile-parts'

/**
 * The layers in the order in which a request passes through them, followed by other consumers of CPU time.
 */
export const layers = [
  'HTTP',
  'dispatch',
  'counting',
  'engine',
  'GraphQL',
  'domain',
  'store',
  'statement',
  'signing and hashing',
  'garbage collection',
  'native code',
  'other',
] as const
type Layer = (typeof layers)[number]

/** The layers of the product's source files, by path. The first matching pattern applies. */
const files: [RegExp, Layer][] = [
  [/\/lib\/server\/record-request|\/lib\/base\/(telemetry|log)\//, 'counting'],
  [/\/lib\/base\/credentials\/|\/lib\/features\/keys\//, 'signing and hashing'],
  [/\/lib\/edges\/oauth\/store\/|\/lib\/base\/db\//, 'store'],
  [/\/lib\/base\/http\/|\/lib\/server\/(http-server|bridge)/, 'HTTP'],
  [/\/lib\/(server|base\/process)\/|\/lib\/edges\/oauth\/(http|protocol)\//, 'dispatch'],
  [/\/lib\/edges\/oauth\//, 'engine'],
  [/\/lib\/edges\/graphql\//, 'GraphQL'],
  [/\/lib\/(policy|features|base)\//, 'domain'],
]
/** The layers of packages, by name. The first matching pattern applies. */
const packages: [RegExp, Layer][] = [
  [/^@opentelemetry\//, 'counting'],
  [/^(pg|@prisma$|@prisma\/)/, 'statement'],
  [/^jose$/, 'signing and hashing'],
  [/^(graphql|@graphql|@envelop|@whatwg-node|@pothos|@escape)/, 'GraphQL'],
  [/^(oidc-provider|koa|@koa|cookies|keygrip|eta|nanoid|quick-lru|debug|raw-body)/, 'engine'],
]

const find = (all: [RegExp, Layer][], text: string) => all.find(([pattern]) => pattern.test(text))?.[1]

/**
 * Returns the layer of a frame, or `idle` for idle time. Node's own code, except its crypto code, and source
 * files and packages without a layer count toward their caller's layer. If the caller has no layer, Node's
 * HTTP, socket, and stream code counts toward `HTTP`, and Node's other code counts toward `other`.
 */
function layerOf(frame: Frame, caller: string): string {
  const part = partOf(frame)
  if (part === undefined) return caller
  if (part === idle || part === 'garbage collection') return part
  if (!frame.url) return 'native code'
  if (part === 'Node: crypto') return 'signing and hashing'
  if (frame.url.includes('/node_modules/')) return find(packages, part) ?? caller
  if (!frame.url.startsWith('node:')) return find(packages, part) ?? find(files, fileOf(frame)) ?? caller
  if (caller !== idle && caller !== 'other') return caller
  return part.startsWith('Node: http') ? 'HTTP' : 'other'
}

/** Returns each layer's share of the busy time. */
export function shareByLayer(profile: CpuProfile): Record<Layer, number> {
  const shares = Object.fromEntries(layers.map((layer) => [layer, 0])) as Record<Layer, number>
  for (const [name, share] of shareBy(profile, layerOf)) {
    shares[(layers as readonly string[]).includes(name) ? (name as Layer) : 'other'] += share
  }
  return shares
}
