import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { changeOwner, serverAccount } from '@/lib/base/db/embedded/server-account'
import { testPort } from './free-port'

/**
 * Starts a PostgreSQL release other than the embedded one, for `npm run test:postgres`.
 * @param dir the folder of the test run, which contains the data
 * @param programs the folder with the release's `bin` and `lib`
 * @param options `name` is the name of the data folder if there are several; `settings` contains settings as `name=value`
 * @returns the server in the same form as an embedded database, with functions that start the server and stop it gracefully
 * or immediately
 */
export async function startOtherPostgres(
  dir: string,
  programs: string,
  { name = 'postgres', settings: more = [] as string[] } = {},
) {
  const account = serverAccount()
  const data = path.join(dir, name)
  fs.mkdirSync(data, { mode: 0o700 })
  changeOwner(account, data)
  const run = (program: string, args: string[]) =>
    execFileSync(path.join(programs, 'bin', program), args, { ...account, cwd: data, stdio: 'ignore' })
  run('initdb', [
    ...['-D', path.join(data, 'cluster'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'],
    ...['--locale=C.UTF-8', '--no-sync'],
  ])
  const port = await testPort()
  const settings = [
    ...[`-p ${port}`, '-c listen_addresses=127.0.0.1', '-c unix_socket_directories='],
    ...['-c fsync=off', '-c synchronous_commit=off', '-c full_page_writes=off', '-c max_connections=300'],
    ...more.map((setting) => `-c ${setting}`),
  ]
  const control = ['-D', path.join(data, 'cluster'), '-w', '-l', path.join(data, 'postgres.log')]
  const start = () => run('pg_ctl', [...control, '-o', settings.join(' '), 'start'])
  const stop = (mode: 'fast' | 'immediate') => run('pg_ctl', [...control, '-m', mode, 'stop'])
  start()
  // The server requires no password. Tests check that the password in the URL does not leak.
  const url = `postgresql://postgres:not-required@127.0.0.1:${port}/template`
  const client = new pg.Client({ connectionString: url.replace(/template$/, 'postgres') })
  await client.connect()
  await client.query('CREATE DATABASE template')
  await client.end()
  return { url, port, start, stop, release: async () => stop('fast') }
}
