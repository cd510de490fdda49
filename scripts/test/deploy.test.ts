import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { variableNames } from '@/lib/base/config/environment'
import { fingerprint } from '../bootstrap/fingerprint.mjs'
import { filesLike, read } from './sources'

const root = path.join(import.meta.dirname, '../..')
const chart = 'deploy/helm/latchkey'
const rendered = 'deploy/kubernetes/latchkey.yaml'

/** The values for helm. They enable all features that do not need another operator in the cluster. */
const chosen = ['image.repository=latchkey', 'baseUrl=https://login.example.com', 'secret.name=latchkey']
const switched = ['ingress.enabled=true', 'networkPolicy.enabled=true', 'metrics.port=9464']
const values = [...chosen, ...switched].flatMap((each) => ['--set', each]).concat('--kube-version=1.30.0')

const has = (tool: string, ...args: string[]) => spawnSync(tool, args, { stdio: 'ignore' }).status === 0

/** All settings, and two variables of Node. */
const settings = new Set([...variableNames, 'NODE_ENV', 'UV_THREADPOOL_SIZE'])

describe('setting names in deployment files', () => {
  const names = {
    Dockerfile: read('Dockerfile').match(/(?<=^ENV .*)\b[A-Z_]+(?==)/gm) ?? [],
    compose: Object.keys(parse(read('deploy/compose/compose.yaml')).services.latchkey.environment),
    chart: filesLike(/^deploy\/helm\/.*\.(yaml|tpl)$/).flatMap(
      (file) => read(file).match(/(?<=- name: )[A-Z][A-Z_]+$/gm) ?? [],
    ),
    systemd: read('deploy/systemd/latchkey.env.example').match(/^#?[A-Z_]+(?==)/gm) ?? [],
  }
  it.each(Object.entries(names))('exist in the product (%s)', (_, found) => {
    expect(found.length).toBeGreaterThan(1)
    expect(found.map((name) => name.replace('#', '')).filter((name) => !settings.has(name))).toEqual([])
  })
})

it.each(['compose', 'helm/latchkey'])(
  'an instance admin can change SECRET_KEY without editing the files in deploy/%s',
  (folder) => {
    const texts = filesLike(new RegExp(`^deploy/${folder}/.*\\.(yaml|tpl)$`)).map(read)
    expect(texts.join('\n')).toMatch(/\bSECRET_KEY_PREVIOUS\b/)
  },
)

describe('the compose file', () => {
  const text = read('deploy/compose/compose.yaml')
  const { services, volumes, networks } = parse(text)
  const example = read('deploy/compose/.env.example')

  it('uses exactly the variables in .env.example and LATCHKEY_IMAGE', () => {
    const asked = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name))
    asked.delete('LATCHKEY_IMAGE')
    expect([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name).sort()).toEqual([...asked].sort())
  })

  it('refers to existing networks, volumes, and services', () => {
    for (const [name, service] of Object.entries<Record<string, object | string[] | undefined>>(services)) {
      const named = Object.keys(service.depends_on ?? {})
      expect(Object.keys(services), name).toEqual(expect.arrayContaining(named))
      expect(Object.keys(networks), name).toEqual(expect.arrayContaining(service.networks as string[]))
      const mounted = ((service.volumes ?? []) as string[]).map((each) => each.split(':')[0] as string)
      const ours = mounted.filter((each) => !each.startsWith('./'))
      expect(Object.keys(volumes), name).toEqual(expect.arrayContaining(ours))
    }
  })
})

const kinds = {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
}

/** Returns the keys of a document that its reader never accessed because the schema does not define them. */
function unread(document: object, readIt: (document: object) => void): string[] {
  const left = new Set<string>()
  const watch = (value: unknown, place: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const watched = Object.entries(value).map(([key, each]) => {
      left.add(`${place}.${key}`)
      return [key, watch(each, `${place}.${key}`)]
    })
    const copy = Array.isArray(value) ? watched.map(([, each]) => each) : Object.fromEntries(watched)
    return new Proxy(copy, {
      get: (target, key, receiver) => {
        left.delete(`${place}.${String(key)}`)
        return Reflect.get(target, key, receiver)
      },
    })
  }
  readIt(watch(document, '') as object)
  return [...left]
}

describe('the manifests of the chart', () => {
  const [opening = '', ...lines] = read(rendered).split('\n')
  const documents = parseAllDocuments(lines.join('\n')).flatMap((each) => each.toJS() ?? [])
  const ofKind = (kind: string) => documents.find((each) => each.kind === kind)

  it('are up to date', () => {
    expect(opening).toContain(fingerprint(root, [chart]))
    expect(documents.map(({ kind }) => kind).sort()).toEqual(Object.keys(kinds).sort())
  })

  it.each(Object.entries(kinds))('are valid for Kubernetes (%s)', (kind, Model) => {
    const document = ofKind(kind)
    // Validates the object itself, because a new Model would copy it and read every key.
    const validate = (each: object) => Model.prototype.validate.call(each)
    expect(unread(document, validate)).toEqual([])
  })

  it('follow the restricted Pod Security Standard', () => {
    for (const { spec } of [ofKind('Deployment').spec.template, ofKind('Job').spec.template]) {
      expect(spec.automountServiceAccountToken).toBe(false)
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('select the pods of the server but not of the job', () => {
    const { labels } = ofKind('Deployment').spec.template.metadata
    const selectors = [
      ofKind('Service').spec.selector,
      ofKind('Deployment').spec.selector.matchLabels,
      ofKind('PodDisruptionBudget').spec.selector.matchLabels,
      ofKind('NetworkPolicy').spec.podSelector.matchLabels,
    ]
    for (const selector of selectors) {
      expect(labels).toMatchObject(selector)
      expect(ofKind('Job').spec.template.metadata.labels).not.toMatchObject(selector)
    }
  })

  it('give a pod more time to stop than it needs', () => {
    const { terminationGracePeriodSeconds: grace, containers } = ofKind('Deployment').spec.template.spec
    const delay = containers[0].env.find(({ name }: { name: string }) => name === 'SHUTDOWN_DELAY').value
    // The longest shutdown of the server after the delay (ADR 0037).
    expect(grace).toBeGreaterThan(Number(delay) + 8)
  })
})

describe('the deployment files', () => {
  it.skipIf(!has('helm', 'version'))('render as a chart with helm (needs helm on the PATH)', async () => {
    const options = { cwd: root, encoding: 'utf8' } as const
    execFileSync('helm', ['lint', '--strict', chart, ...values], options)
    const monitored = ['--set', 'metrics.serviceMonitor.enabled=true']
    expect(execFileSync('helm', ['template', chart, ...values, ...monitored], options)).toContain(
      'ServiceMonitor',
    )
    expect(spawnSync('helm', ['template', chart, '--kube-version=1.30.0'], options).stderr).toContain(
      'Set baseUrl',
    )
    const text = execFileSync('helm', ['template', 'latchkey', chart, ...values], options)
    // Written by `npx vitest run scripts/test/deploy.test.ts -u`.
    const opening = `# Generated by helm template from ${chart} (${fingerprint(root, [chart])}). Edit the chart instead.`
    await expect(`${opening}\n${text}`).toMatchFileSnapshot(path.join(root, rendered))
  })

  it.skipIf(!has('docker', 'compose', 'version'))(
    'contain a compose file that docker accepts (needs docker compose)',
    () => {
      const dir = path.join(root, 'deploy/compose')
      const env = { ...process.env, DOMAIN: 'login.example.com', SECRET_KEY: 'a', DATABASE_PASSWORD: 'b' }
      const config = execFileSync('docker', ['compose', 'config', '--format', 'json'], {
        cwd: dir,
        env,
        encoding: 'utf8',
      })
      expect(Object.keys(JSON.parse(config).services).sort()).toEqual(['database', 'latchkey', 'proxy'])
    },
  )

  const programs = ['/usr/bin/node'].every((file) => fs.existsSync(file))
  it.skipIf(!programs || !has('systemd-analyze', '--version'))(
    'contain a unit that systemd accepts (needs systemd-analyze)',
    () => {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', 'deploy/systemd/latchkey.service'], {
        cwd: root,
      })
      expect([status, String(stderr)]).toEqual([0, ''])
    },
  )
})
