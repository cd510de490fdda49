/** @type {import('next').NextConfig} */
export default {
  // Bundled, oidc-provider's models lose their names and Prisma its engine; all of these must be one instance per process.
  serverExternalPackages: [
    'oidc-provider',
    '@prisma/client',
    '@prisma/adapter-pg',
    'pg',
    'pino',
    'pino-pretty',
    '@opentelemetry/api',
    '@opentelemetry/exporter-prometheus',
    '@opentelemetry/instrumentation-runtime-node',
    '@opentelemetry/sdk-node',
    'pg-boss',
    '@node-rs/argon2',
    '@node-rs/bcrypt',
    'light-my-request',
    '@zxcvbn-ts/core',
    '@zxcvbn-ts/language-common',
    'graphql',
    'graphql-yoga',
    '@pothos/core',
  ],
  // NEXT_DIST_DIR=.next/other builds in another folder while a server runs.
  distDir: process.env.NEXT_DIST_DIR || '.next',
  poweredByHeader: false,
  // No page uses the image optimizer of Next, so `/_next/image` need not respond.
  images: { unoptimized: true },
  // Endpoints respond with and without a trailing slash, as under server.ts. proxy.ts redirects pages.
  skipTrailingSlashRedirect: true,
  // Metadata is part of the page. If it were streamed after it, a page would have no title for a moment after each change.
  htmlLimitedBots: /.*/,
  // The Content-Security-Policy differs from page to page and comes from proxy.ts.
  headers: async () => [
    // Files of public/. The font is for the pages that are drawn without Next (lib/base/http/page-font.ts).
    { source: '/inter.woff2', headers: [{ key: 'cache-control', value: 'public, max-age=86400' }] },
    {
      source: '/(favicon.ico|logo.svg|robots.txt)',
      headers: [{ key: 'cache-control', value: 'public, max-age=3600' }],
    },
    {
      source: '/:path*',
      headers: [
        { key: 'x-content-type-options', value: 'nosniff' },
        { key: 'x-frame-options', value: 'DENY' },
        // Not `no-referrer`: Chromium would send `Origin: null` with our own forms.
        { key: 'referrer-policy', value: 'strict-origin-when-cross-origin' },
        { key: 'permissions-policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
      ],
    },
  ],
  redirects: async () => [{ source: '/operator/:path*', destination: '/admin/:path*', permanent: true }],
  // Pages of the docs as Markdown: with `.md` at the end of the address, or by the Accept header.
  rewrites: async () => ({
    beforeFiles: ['docs', 'brand'].flatMap((place) => {
      const destination = `/docs/markdown/${place}/:page*`
      const accept = { type: 'header', key: 'accept', value: '.*text/markdown.*' }
      return [
        { source: `/${place}/:page*.md`, destination },
        { source: `/${place}/:page*`, destination, has: [accept] },
      ]
    }),
  }),
  reactStrictMode: true,
  // `npm test` runs tsc itself, over tests and scripts as well.
  typescript: { ignoreBuildErrors: true },
  // More than half of a build went into these. Writing the cache costs more than it saves at the next build, Node does not
  // read the source maps, and the size of server code does not matter on a disk. ADR 0004 has the figures.
  experimental: {
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: process.env.BUILD_SOURCE_MAPS === '1',
    turbopackMinify: { server: false, client: true },
    // A page loads its code on its first visit. Next would load the code of all pages at the start and keep it in memory.
    preloadEntriesOnStart: false,
  },
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
}
