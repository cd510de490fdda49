// The image's health check: requests /readyz, and exits with 0 if the status is 200, otherwise with 1. It
// uses Node's HTTP client, because it runs often and would take twice as long with fetch.
import http from 'node:http'

const anywhere = ['', '::', '0.0.0.0', '[::]']
const { HOST = '', PORT } = process.env
http
  .get({
    host: anywhere.includes(HOST) ? '127.0.0.1' : HOST,
    port: PORT || 3000,
    path: '/readyz',
    timeout: 4_000,
  })
  .on('response', (answer) => process.exit(answer.statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
