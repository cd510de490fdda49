import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { changeOwner, serverAccount } from '@/lib/base/db/embedded/server-account'
import { testPort } from './free-port'

/**
 * Creates and starts a server from PostgreSQL programs other than the embedded ones, with an empty database
 * `template`, for example for `npm run test:postgres`.
 * @param dir the folder of the test run, in which the server stores its data
 * @param programs the folder with the programs' `bin` and `lib`
 * @param options `name` is the name of the server's data folder; `settings` contains additional settings as
 * `name=value`
 * @returns the database's URL, the server's port, functions that start and stop the server, and `release`,
 * which also stops it
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
  // The server requires no password. The URL still contains one, because tests check that the URL's password
  // does not leak.
  const url = `postgresql://postgres:not-required@127.0.0.1:${port}/template`
  const client = new pg.Client({ connectionString: url.replace(/template$/, 'postgres') })
  await client.connect()
  await client.query('CREATE DATABASE template')
  await client.end()
  return { url, port, start, stop, release: async () => stop('fast') }
}
